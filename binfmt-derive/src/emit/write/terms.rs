//! A sum, solved for the one number in it.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{LitStr, Type};

use crate::derived::Solved;
use crate::emit::expr::Wanted;
use crate::emit::{Emitter, Site};
use crate::expr::Expr;
use crate::model::{Numeric, scalar};

/// The other terms of a sum that is solved for one number.
pub(super) struct Terms {
    taken_off: bool,
    mul: Option<TokenStream>,
    add: Vec<TokenStream>,
    sub: Vec<TokenStream>,
    inner: Option<Box<Self>>,
    is_scaled: bool,
    keeps_sign: bool,
    /// Which bits of the number a field holds: how many stand below, and how many they are; and the number as all
    /// fields hold it.
    bits: Option<(u32, u32, TokenStream)>,
}

impl Terms {
    pub(super) fn of(emitter: &Emitter<'_>, solved: &Solved<'_>) -> Self {
        let call = |expr: &&Expr| emitter.size("term", expr, Site::Write);
        let (add, sub) = sums(emitter, (&solved.add, &solved.sub), Site::Write);
        Self {
            taken_off: solved.taken_off,
            mul: solved.mul.as_ref().map(call),
            add,
            sub,
            inner: solved.inner.as_ref().map(|inner| Box::new(Self::of(emitter, inner))),
            is_scaled: solved.is_scaled() || solved.bits.is_some() || solved.keeps_sign,
            keeps_sign: solved.keeps_sign,
            bits: solved.bits.map(|bits| {
                let whole = emitter.size("term", bits.whole, Site::Write);
                (bits.shift, bits.count.unwrap_or(u32::MAX), whole)
            }),
        }
    }

    /// Whether there are none, so that the number is what has been measured.
    pub(super) fn is_none(&self) -> bool {
        let whole = !self.taken_off && self.mul.is_none() && self.bits.is_none();
        whole && !self.keeps_sign && self.add.is_empty() && self.sub.is_empty()
    }

    /// The number of an item that stands for what has been measured, an `i128`; where it counts
    /// nothing, it stays what is `held`.
    pub(super) fn solved(
        &self,
        rt: &TokenStream,
        label: &LitStr,
        measured: &TokenStream,
        held: &TokenStream,
    ) -> TokenStream {
        if self.is_scaled {
            let (layers, own) = (self.layers(), self.own_part(rt, held));
            let lowest = self.lowest(&quote!(#rt::setter::lowest(&#held)));
            let whole = self.bits.as_ref().map(|(.., whole)| quote!(#whole.unwrap_or(0)));
            let stays = whole.as_ref().unwrap_or(held);
            return quote!({
                let __measured = #measured;
                let __measured = (__measured, #lowest);
                let __number =
                    #rt::write::solve_scaled(__out, #label, __at, __measured, &[#(#layers),*], &#stays)?;
                #own
            });
        }
        let Self { add, sub, .. } = self;
        let mul = self.mul.clone().unwrap_or_else(|| quote!(__rt::Some(1)));
        let solve = if self.taken_off { quote!(solve_taken_off) } else { quote!(solve) };
        quote!({
            let __measured = #measured;
            let __measured = (__measured, #rt::setter::lowest(&#held));
            #rt::parallel::#solve(__out, #label, __at, __measured, (#mul, &[#(#add),*], &[#(#sub),*]))?
        })
    }

    /// How far below 0 a solved number may be.
    fn lowest(&self, of_type: &TokenStream) -> TokenStream {
        if self.keeps_sign { quote!(0) } else { of_type.clone() }
    }

    /// What of a solved number the field holds: the bits that are its own, and the sign that it has.
    fn own_part(&self, rt: &TokenStream, held: &TokenStream) -> TokenStream {
        if self.keeps_sign {
            return quote!(#rt::write::with_sign_of(__number, &#held));
        }
        let Some((shift, count, _)) = &self.bits else { return quote!(__number) };
        quote!(#rt::write::bits_of(__number, #shift, #count))
    }

    /// The sums around the number, the outermost first.
    fn layers(&self) -> Vec<TokenStream> {
        let Self { taken_off, add, sub, .. } = self;
        let mul = self.mul.clone().unwrap_or_else(|| quote!(__rt::Some(1)));
        let terms = quote!((#mul, &[#(#add),*][..], &[#(#sub),*][..]));
        let inner = self.inner.iter().flat_map(|inner| inner.layers());
        std::iter::once(quote!((#taken_off, #terms))).chain(inner).collect()
    }

    /// The number that stands for what has been measured, an `Option<u64>`.
    pub(super) fn solve(
        &self,
        rt: &TokenStream,
        ty: &Type,
        (field, held): (&TokenStream, &TokenStream),
        measured: &TokenStream,
    ) -> TokenStream {
        let Self { taken_off, mul, add, sub, .. } = self;
        let signed = scalar(ty).is_some_and(|scalar| scalar.numeric == Numeric::Signed);
        if self.is_scaled {
            let (layers, own) = (self.layers(), self.own_part(rt, held));
            let (wide, lowest) = if signed {
                (quote!(::core::primitive::i64), quote!(::core::primitive::u64::MAX))
            } else {
                (quote!(::core::primitive::u64), quote!(0))
            };
            let lowest = self.lowest(&lowest);
            return quote!({
                let __measured = (#measured, #lowest);
                let __number =
                    #rt::write::solve_scaled(__out, #field, __measured, &[#(#layers),*], &#held)?;
                let __number = <#wide>::try_from(#own).ok();
                #rt::write::convert::<#ty, _>(__out, #field, __number)?
            });
        }
        // Mostly a field is the size itself, and nothing has to be solved.
        if self.is_none() {
            return quote!({
                let __measured = #measured;
                #rt::write::convert::<#ty, _>(__out, #field, __measured)?
            });
        }
        let one = || quote!(__rt::Some(1));
        let mul = mul.clone().unwrap_or_else(one);
        let terms = quote!((#mul, &[#(#add),*], &[#(#sub),*]));
        if signed {
            return quote!({
                let __measured = #measured;
                #rt::write::solve_signed::<#ty>(__out, #field, __measured, #taken_off, #terms)?
            });
        }
        let solve = if *taken_off { quote!(solve_taken_off) } else { quote!(solve) };
        quote!({
            let __measured = #measured;
            #rt::write::#solve::<#ty>(__out, #field, __measured, #terms)?
        })
    }
}

/// What is added to a number, and what is subtracted from it. Of a term that may be below 0, what it is above that
/// stands with the one, and what it is below with the other.
pub(super) fn sums(
    emitter: &Emitter<'_>,
    (add, sub): (&[&Expr], &[&Expr]),
    site: Site,
) -> (Vec<TokenStream>, Vec<TokenStream>) {
    let rt = &emitter.rt;
    let (mut more, mut less) = (Vec::new(), Vec::new());
    for (terms, is_added) in [(add, true), (sub, false)] {
        let (own, other) = if is_added { (&mut more, &mut less) } else { (&mut less, &mut more) };
        for term in terms {
            if !emitter.sign(term).may_be_negative() {
                own.push(emitter.size("term", term, site));
                continue;
            }
            let number = emitter.called("term", term, Wanted::Passed, site);
            own.push(quote!(#rt::write::above_0(#number)));
            other.push(quote!(#rt::write::below_0(#number)));
        }
    }
    (more, less)
}
