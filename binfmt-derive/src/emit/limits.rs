//! `unique` and `sorted_by`: rules over all items of a field.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::LitStr;

use super::{Emitter, Site, local, overrides, text};
use crate::attr::Weight;
use crate::expr::Expr;
use crate::model::limits::{ItemRule, item_rules};
use crate::model::{Field, Kind};
use crate::steps::code_base;
use crate::tokens::respanned;

/// The stable code of such a rule.
pub(super) fn code(emitter: &Emitter<'_>, field: &Field<'_>, rule: &ItemRule<'_>) -> LitStr {
    text(&format!("{}.{}", code_base(emitter.model, Some(field)), rule.word()))
}

/// Compares two items by what the rule names.
fn order(emitter: &Emitter<'_>, rule: &ItemRule<'_>) -> TokenStream {
    // The names are those of generated code, wherever the word stands.
    let span = Span::call_site().located_at(rule.span);
    let rt = respanned(emitter.rt.clone(), span);
    match rule.key {
        // A closure, of which it is known what it is given, so that a mistake in it is told here.
        None => quote_spanned!(span=> |__a, __b| #rt::items::compare(__a, __b)),
        Some(key) => {
            let (a, b) = (part(key, &quote!(__a)), part(key, &quote!(__b)));
            quote_spanned! {span=> |__a, __b| {
                use #rt::items::{DroppedKeys as _, KeptKeys as _};
                (&#rt::items::Keys(&#a, &#b)).order()
            }}
        }
    }
}

/// A path into an item, with the item in place of `it`.
fn part(key: &Expr, item: &TokenStream) -> TokenStream {
    match key {
        Expr::Field(of, name) => {
            let of = part(of, item);
            quote!(#of.#name)
        }
        Expr::Method(of, name, _) => {
            let of = part(of, item);
            quote!(#of.#name())
        }
        _ => item.clone(),
    }
}

/// Binds `__items` to the items of a field, if it is there, and runs `then`.
fn if_there(field: &Field<'_>, then: &TokenStream) -> TokenStream {
    // Nothing else has told the compiler yet what a reader's items are.
    let (name, ty) = (local(&field.name), field.ty);
    let then = if field.is_optional() {
        quote!(if let __rt::Some(__items) = __items.as_ref() { #then })
    } else {
        then.clone()
    };
    quote!({ let __items: &#ty = &#name; #then })
}

/// Walks the items of a field once more, for a validator alone.
pub(super) fn read(
    emitter: &Emitter<'_>,
    index: usize,
    field: &Field<'_>,
    rules: &[&ItemRule<'_>],
) -> TokenStream {
    if rules.is_empty() {
        return TokenStream::new();
    }
    let (rt, wire) = (&emitter.rt, emitter.wire());
    let place = emitter.field_in_path(index);
    let run = match field.kind {
        Kind::Seq(_) => quote!(#rt::items::of_seq(__items)),
        _ => {
            let args = emitter.field_args(field, Site::Walk);
            let run = quote!(#rt::items::of_slice(&__items[..], __cur, __spans.get(#index), #args));
            let run = match &field.words.prefix {
                Some(prefix) => {
                    let (ty, order) = (&prefix.value, emitter.order(field));
                    quote!(#rt::items::behind_prefix::<#ty, _>(#run, #order))
                }
                None => run,
            };
            if field.has_previous() {
                let next = emitter.next_args(field);
                quote!(#rt::items::linked(#run, #next))
            } else {
                run
            }
        }
    };
    let each = rules.iter().map(|rule| {
        let (code, text) = (code(emitter, field, rule), text(&rule.text));
        let order = order(emitter, rule);
        let severity = overrides::of_items(rt, field, rule);
        let function = if rule.unique { "unique" } else { "sorted" };
        let (function, items) = match field.kind {
            Kind::Seq(_) => (format_ident!("{function}"), None),
            _ => (format_ident!("{function}_among"), Some(quote!(&__items[..],))),
        };
        quote! {
            #rt::items::#function(
                __obs,
                #rt::items::Place { layout: Self::#wire, field: #place, code: #code, text: #text, severity: #severity },
                #items
                __run,
                #order,
            );
        }
    });
    let looks = if_there(field, &quote!(let __run = #run; #(#each)*));
    quote!(if __O::RECORD && __obs.walks_items() { #looks })
}

/// Items out of order, or equal ones where they must differ, stop a writer; the field is at `at`.
pub(super) fn write(emitter: &Emitter<'_>, field: &Field<'_>, at: &TokenStream) -> TokenStream {
    let rt = &emitter.rt;
    let label = text(&field.label);
    let checks = item_rules(&field.words).into_iter().filter(|rule| {
        overrides::weight_of_items(field, rule) == Weight::Error
    }).map(|rule| {
        let (code, text) = (code(emitter, field, &rule), text(&rule.text));
        let order = order(emitter, &rule);
        let first = match (field.kind, rule.unique) {
            (Kind::Seq(_), true) => quote!(#rt::items::first_repeated_of(__items, #order)),
            (Kind::Seq(_), false) => quote!(#rt::items::first_unsorted_of(__items, #order)),
            (_, true) => quote!(#rt::items::first_repeated(&__items[..], #order)),
            (_, false) => quote!(#rt::items::first_unsorted(&__items[..], #order)),
        };
        let check = if_there(field, &quote! {
            if let __rt::Some(__index) = #first {
                return __rt::Err(#rt::items::unsorted(__out, (#label, #at), __index, #code, #text));
            }
        });
        quote!(if __out.checks() { #check })
    });
    checks.collect()
}
