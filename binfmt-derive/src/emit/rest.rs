//! Whether a value has to fill its region, because a field takes what is left of that.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Emitter, Site, local, text, unraw};
use crate::expr::{Expr, Measure, Op};
use crate::model::Field;

impl Emitter<'_> {
    /// The code of a reader where a value ends in which a field asks what is left: what it leaves
    /// of its region is an error, where the field has taken it.
    pub(super) fn finish_region(&self) -> TokenStream {
        let rt = &self.rt;
        let finish = quote!(#rt::walk::finish_region(__cur, __obs)?;);
        match self.takes_the_rest(Site::Walk) {
            Some(taken) => quote!(if #taken { #finish }),
            None => finish,
        }
    }

    /// The code of a writer where such a value ends: nothing may follow it in the region.
    pub(super) fn ends_with_its_region(&self) -> Option<TokenStream> {
        let rt = &self.rt;
        if self.model.words.len.is_some() {
            return None;
        }
        let first = self.model.fields().iter().find(|field| measures(field).next().is_some())?;
        let label = text(&unraw(&first.name));
        let ends = quote!(#rt::write::ends(__out, #label, 1)?;);
        Some(match self.takes_the_rest(Site::Write) {
            Some(taken) => quote!(if #taken { #ends }),
            None => ends,
        })
    }

    /// When the rest is taken; `None` if it always is.
    fn takes_the_rest(&self, site: Site) -> Option<TokenStream> {
        let fields = self.model.fields().iter().filter(|field| measures(field).next().is_some());
        let each: Option<Vec<_>> = fields
            .map(|field| {
                let words = &field.words;
                if words.condition.as_ref().is_some_and(|word| asks(&word.value)) {
                    return None;
                }
                let taken = self.taken(&words.len.as_ref()?.value, site)?;
                let name = local(&field.name);
                let there = field.is_optional().then(|| quote!(#name.is_some() &&));
                Some(quote!((#there #taken)))
            })
            .collect();
        each.map(|each| quote!(#(#each)||*))
    }

    /// When a length is about what is left; `None` if it always is.
    fn taken(&self, len: &Expr, site: Site) -> Option<TokenStream> {
        let rt = &self.rt;
        if let Some((left, most)) = at_most(len) {
            let (left, most) = (self.size("rest", left, site), self.size("rest", most, site));
            return Some(quote!(#rt::ops::is_less(#left, #most)));
        }
        let Expr::If(condition, yes, no) = len else {
            return (!asks(len)).then(|| quote!(false));
        };
        if !condition.measures().is_empty() {
            return None;
        }
        let always = |branch: Option<TokenStream>| branch.unwrap_or_else(|| quote!(true));
        let (yes, no) = (always(self.taken(yes, site)), always(self.taken(no, site)));
        let holds = self.condition("rest", condition, site);
        Some(quote!((if #holds != #rt::Some(false) { #yes } else { #no })))
    }
}

/// What is left and the most that is taken of it, in a length that is the smaller one of both: however
/// much is left beyond that, it is not looked at.
fn at_most(len: &Expr) -> Option<(&Expr, &Expr)> {
    let (one, other) = match len {
        Expr::Builtin(name, args) if name == "min" => {
            let [one, other] = args.as_slice() else { return None };
            (one, other)
        }
        Expr::If(condition, yes, no) => {
            let Expr::Binary(one, op, other) = &**condition else { return None };
            let (less, more) = match op {
                Op::Lt | Op::Le => (yes, no),
                Op::Gt | Op::Ge => (no, yes),
                _ => return None,
            };
            (one.is_equal(less) && other.is_equal(more)).then_some((&**one, &**other))?
        }
        _ => return None,
    };
    [(one, other), (other, one)].into_iter().find(|(left, most)| grows(left) && !asks(most))
}

/// Whether an expression is what is left, or so many bytes fewer or more.
fn grows(expr: &Expr) -> bool {
    match expr {
        Expr::Measure(measure, _) => *measure == Measure::Remaining,
        Expr::Binary(left, Op::Add | Op::Sub, by) => grows(left) && !asks(by),
        _ => false,
    }
}

/// Where the words of a field ask what is left.
fn measures<'f>(field: &'f Field<'_>) -> impl Iterator<Item = &'f Expr> {
    let words = [&field.words.len, &field.words.condition].into_iter().flatten();
    words.map(|word| &word.value).filter(|expr| asks(expr))
}

/// Whether an expression asks what is left.
fn asks(expr: &Expr) -> bool {
    expr.measures().iter().any(|(measure, _)| *measure == Measure::Remaining)
}
