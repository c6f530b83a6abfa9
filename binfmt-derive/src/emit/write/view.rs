//! Views: what they say is compared with what other fields write.

use proc_macro2::{Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens as _, quote};
use syn::Lifetime;

use super::measures::count_of;
use super::parallel::bind;
use super::piece::inside;
use super::plan::{Plan, mark};
use super::slots::base;
use crate::derived::Point;
use crate::emit::walk::condition;
use crate::emit::{Emitter, Site, local, text};
use crate::expr::Expr;
use crate::model::{Field, Kind, Parallel, encoded, is_lazy};

/// Plans to look at the views of single values, when all else has been written.
pub(super) fn plan(plan: &mut Plan<'_, '_>) {
    let model = plan.emitter.model;
    for (index, field) in model.fields().iter().enumerate() {
        if !field.is_view() || field.parallel.is_some() {
            continue;
        }
        let exprs = field.exprs(index).map(|one| plan.ready.expr(one.expr));
        let point = exprs.fold(Point::end(model), Point::max);
        let (name, at) = (local(&field.name), mark(field, "at"));
        let look = look(plan, index, field);
        let look = quote!(#look #at = __place.unwrap_or(__start););
        let look = if field.is_optional() {
            quote!(if let __rt::Some(__value) = #name { #look })
        } else {
            quote!({ let __value = #name; #look })
        };
        plan.at(point, look);
    }
}

/// The bytes of `__value` must be those that lie at its place, `__place`; leaves their number in
/// `__seen`.
fn look(plan: &Plan<'_, '_>, index: usize, field: &Field<'_>) -> TokenStream {
    let emitter = plan.emitter;
    let Some(place) = emitter.lowered.place(index) else { return TokenStream::new() };
    let (call, base) = (emitter.size("at", place.at, Site::Write), base(emitter, field));
    let (label, value) = (text(&field.label), inside(plan, index, field));
    let words = &field.words;
    let sized = words.len.is_some();
    let (passed, reads) = reads(emitter, field);
    let (item, leave) = if field.is_element {
        (quote!(__out.enter_item(__item);), quote!(__out.leave();))
    } else {
        (quote!(), quote!())
    };
    quote! {
        let __base: u64 = #base;
        let __place = { #call }.and_then(|__at: u64| __at.checked_add(__base));
        let mut __seen = 0_u64;
        __out.enter(#label);
        #item
        #passed
        __out.view(__place, #sized, &mut |__out| {
            #value
            __seen = __size;
            __rt::Ok(())
        }, #reads)?;
        __out.leave();
        #leave
    }
}

/// What a reader would say of the bytes: of a declared type that it reads the same value.
fn reads(emitter: &Emitter<'_>, field: &Field<'_>) -> (TokenStream, TokenStream) {
    let (rt, words) = (&emitter.rt, &field.words);
    if words.until_end.is_some() {
        return (quote!(), quote!(|__cur, __bytes| __cur.rest() == __bytes));
    }
    let plain = (quote!(), quote!(|__cur, __bytes| __cur.rest().starts_with(__bytes)));
    let borrows = |expr: &Expr| {
        let names = expr.names().into_iter().filter_map(|name| emitter.model.field(name));
        names.into_iter().any(|(_, named)| named.kind.scalar().is_none())
    };
    let passes = words.args.iter().flat_map(|args| args.value.passed());
    let passes = passes.into_iter().any(|(_, expr)| borrows(expr));
    let nested = matches!(field.kind, Kind::Nested)
        && encoded(field.inner).is_none()
        && !is_lazy(field.inner)
        && !passes
        && emitter.model.outlives();
    if !nested {
        return plain;
    }
    let args = emitter.field_args(field, Site::Write);
    let ty = match emitter.model.lifetime {
        Some(lifetime) => of_any(lifetime, field.inner.to_token_stream()),
        None => field.inner.to_token_stream(),
    };
    let reads = quote! {
        move |__cur, __bytes| #rt::place::reads_same::<#ty>(__cur, __bytes, __passed_again)
    };
    (quote!(let __passed_again = #args;), reads)
}

/// A type with any lifetime in place of that of the input.
fn of_any(lifetime: &Lifetime, ty: TokenStream) -> TokenStream {
    let mut all = TokenStream::new();
    let mut tick = false;
    for token in ty {
        let token = match token {
            TokenTree::Group(group) => {
                let inside = of_any(lifetime, group.stream());
                TokenTree::Group(Group::new(group.delimiter(), inside))
            }
            TokenTree::Ident(ident) if tick && ident == lifetime.ident => {
                TokenTree::Ident(Ident::new("_", Span::call_site()))
            }
            other => other,
        };
        tick = matches!(&token, TokenTree::Punct(punct) if is_tick(punct));
        all.extend([token]);
    }
    all
}

fn is_tick(punct: &Punct) -> bool {
    punct.as_char() == '\'' && punct.spacing() == Spacing::Joint
}

/// The bytes of the view of one item must be those that lie at its place, when all numbers of the item
/// are set.
pub(super) fn of_entry(
    plan: &Plan<'_, '_>,
    index: usize,
    field: &Field<'_>,
    parallel: &Parallel<'_>,
) -> TokenStream {
    let (emitter, rt, element) = (plan.emitter, &plan.emitter.rt, &*parallel.element);
    let (name, own, label) = (local(&field.name), local(&element.name), text(&field.label));
    let bound = bind(emitter, parallel, &quote!(__one), &quote!(&*__entry));
    let look = look(plan, index, element);
    let words = &element.words;
    let sizes =
        [("len", &words.len, quote!(__seen)), ("count", &words.count, count_of(emitter, element))];
    let sizes = sizes.into_iter().filter_map(|(word, expr, measured)| {
        let call = emitter.size(word, &expr.as_ref()?.value, Site::Write);
        let measured = quote!(__rt::Some(#measured));
        Some(quote!(#rt::write::agree(__out, #label, __at, #word, (#call, #measured))?;))
    });
    let look = quote!(#look #(#sizes)*);
    let look = if element.is_optional() {
        let there = condition(emitter, element, Site::Write);
        quote! {
            #rt::write::presence(__out, #label, __at, (#there, #own.is_some()), true)?;
            if let __rt::Some(__value) = #own { #look }
        }
    } else {
        quote!(let __value = #own; #look)
    };
    quote! {
        if let __rt::Some(__one) = #name.get(__index) {
            let __item = #rt::ops::wide(__index);
            #bound
            #look
        }
    }
}
