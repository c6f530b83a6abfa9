//! Fields with `for_each`: a slot for every value, and the table that tells where they lie.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::derived::{count_of, len_of, terms};
use super::field::piece;
use super::rooms::{base, slot};
use crate::derived::{Of, RowStep, row_steps};
use crate::emit::expr::Wanted;
use crate::emit::{Emitter, Site, local, text, unraw};
use crate::expr::Expr;
use crate::model::{Each, Field, Kind};

/// Copies of the tables, for the writer to set.
pub(super) fn rows(emitter: &Emitter<'_>) -> TokenStream {
    let rt = &emitter.rt;
    let mut all = TokenStream::new();
    for table in emitter.model.fields() {
        if !is_table(emitter, table) {
            continue;
        }
        let (name, rows) = (local(&table.name), rows_of(&table.name));
        all.extend(match table.kind {
            Kind::Seq(_) => quote!(let mut #rows = #rt::each::of_seq(__out, #name)?;),
            _ => quote!(let mut #rows = #rt::each::of_slice(&#name[..]);),
        });
    }
    for field in emitter.model.fields() {
        let Some(each) = &field.each else { continue };
        let (name, rows, shown) =
            (local(&field.name), rows_of(&each.table), text(&unraw(&field.name)));
        all.extend(quote!(#rt::each::same_count(__out, #shown, #rows.len(), #name.len())?;));
    }
    all
}

/// Whether some field has a value for every item of this one.
pub(super) fn is_table(emitter: &Emitter<'_>, field: &Field<'_>) -> bool {
    let mut each = emitter.model.fields().iter().filter_map(|other| other.each.as_ref());
    each.any(|each| each.table == field.name)
}

/// The local with the copy of a table.
pub(super) fn rows_of(table: &Ident) -> Ident {
    format_ident!("__rows_{}", unraw(table))
}

/// The local with the number of the first slot of a field.
pub(super) fn first_of(field: &Field<'_>) -> Ident {
    format_ident!("__first_{}", unraw(&field.name))
}

/// Binds one value and its item the way the rest of the body sees a field and an argument.
fn bind(
    emitter: &Emitter<'_>,
    each: &Each<'_>,
    value: &TokenStream,
    row: &TokenStream,
) -> TokenStream {
    let name = local(&each.element.name);
    let by_value = matches!(each.element.kind, Kind::Scalar(_)) && !each.element.is_optional();
    let value = if by_value { quote!(*#value) } else { quote!(#value) };
    let scalar = emitter.model.row_type(each).and_then(crate::model::scalar).is_some();
    let row = if scalar { quote!(*#row) } else { quote!(#row) };
    quote!(let #name = #value; let __a_it = #row;)
}

/// Adds a slot for every value of a field to the slots of its room.
pub(super) fn add_slots(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
    each: &Each<'_>,
    slots: &Ident,
) -> TokenStream {
    let (name, rows, first) = (local(&field.name), rows_of(&each.table), first_of(field));
    let bind = bind(emitter, each, &quote!(__each), &quote!(__row));
    let slot = emitter.with_row(field, || slot(emitter, &each.element));
    quote! {
        let #first = #slots.len();
        for (__row, __each) in #rows.iter().zip(#name.iter()) {
            #bind
            let __slot = #slot;
            #slots.push(__slot);
        }
    }
}

/// Sets the numbers of all tables and looks whether those that nothing sets agree.
pub(super) fn settle(emitter: &Emitter<'_>) -> TokenStream {
    let mut all = TokenStream::new();
    let steps = row_steps(emitter.model);
    for step in &steps {
        let field = emitter.model.fields().get(step.field);
        if let Some((field, each)) = field.and_then(|field| Some((field, field.each.as_ref()?))) {
            all.extend(emitter.with_row(field, || set(emitter, field, each, step)));
        }
    }
    for field in emitter.model.fields() {
        if let Some(each) = &field.each {
            all.extend(emitter.with_row(field, || agree(emitter, field, each)));
        }
    }
    if all.is_empty() { all } else { quote!(if !__out.counts() { #all }) }
}

/// Sets one number in every item of a table.
fn set(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
    each: &Each<'_>,
    step: &RowStep<'_>,
) -> TokenStream {
    let rt = &emitter.rt;
    let element = &each.element;
    let (name, rows, shown) = (local(&field.name), rows_of(&each.table), text(&unraw(&field.name)));
    let solved = &step.solved;
    let (add, sub) = (terms(emitter, &solved.add), terms(emitter, &solved.sub));
    let mul = solved.mul.and_then(|mul| terms(emitter, &[mul]).pop());
    let mul = mul.unwrap_or_else(|| quote!(::core::option::Option::Some(1)));
    let solve = |measured: TokenStream| {
        quote! {{
            let __measured: u64 = #measured;
            #rt::write::solve(__out, #shown, __measured, #mul, &[#(#add),*], &[#(#sub),*])?
        }}
    };
    let base = base(emitter, element);
    let there = solve(match solved.of {
        Of::Len(_) => len_of(emitter, element),
        Of::Count(_) => count_of(emitter, element),
        _ => quote!(__slot.offset_from(#base)),
    });
    let own = local(&element.name);
    let place = target(step.target);
    let bound = bind(emitter, each, &quote!(__each), &quote!(&*__row));
    let put = |value: &TokenStream| {
        let value = quote!(::core::option::Option::Some({ #bound #value }));
        super::set::put(emitter, &shown, &place, &value, step.target.ends().1)
    };
    // Where an `if` says that there is no value, the number of the item says something else.
    let put = match (&element.words.null, solved.of) {
        _ if !element.is_optional() => put(&there),
        (None, _) => {
            let put = put(&there);
            quote!(if { #bound #own.is_some() } { #put })
        }
        (Some(null), of) => {
            let null = &null.value;
            let absent = if matches!(of, Of::Offset(_)) { solve(quote!(#null)) } else { quote!(0) };
            put(&quote!(if #own.is_some() { #there } else { #absent }))
        }
    };
    let (zip, slot) = slots_of(emitter, field);
    quote! {
        for ((__row, __each), #slot) in #rows.iter_mut().zip(#name.iter()).zip(#zip) {
            #put
        }
    }
}

/// The place that a number of `it` has in `__row`.
fn target(expr: &Expr) -> TokenStream {
    match expr {
        Expr::Field(inner, member) => {
            let inner = target(inner);
            quote!(#inner.#member)
        }
        _ => quote!((*__row)),
    }
}

/// The slots of the values of a field, in their order.
fn slots_of(emitter: &Emitter<'_>, field: &Field<'_>) -> (TokenStream, TokenStream) {
    let slots = super::rooms::slots_with(emitter, field);
    let first = first_of(field);
    (quote!(#slots.iter().skip(#first)), quote!(__slot))
}

/// What the items say in the end must be so.
fn agree(emitter: &Emitter<'_>, field: &Field<'_>, each: &Each<'_>) -> TokenStream {
    let rt = &emitter.rt;
    let element = &each.element;
    let (name, rows, shown) = (local(&field.name), rows_of(&each.table), text(&unraw(&field.name)));
    let base = base(emitter, element);
    let told = [
        ("at", &element.words.at, quote!(__slot.offset_from(#base))),
        ("len", &element.words.len, len_of(emitter, element)),
        ("count", &element.words.count, count_of(emitter, element)),
    ];
    let mut all = TokenStream::new();
    for (word, expr, measured) in told {
        let Some(expr) = expr else { continue };
        let function = emitter.function(word, &expr.value, Wanted::Size);
        let call = emitter.call(&function, Site::Write);
        all.extend(quote! {
            let __measured: u64 = #measured;
            #rt::write::agree(__out, #shown, #word, #call, __measured)?;
        });
    }
    let own = local(&element.name);
    if element.is_optional() {
        all = quote!(if #own.is_some() { #all });
        if let Some(null) = &element.words.null {
            let null = &null.value;
            all.extend(quote! {
                if #own.is_some() {
                    #rt::write::not_null(__out, #shown, __slot.offset_from(#base), #null)?;
                }
            });
        }
    }
    if element.words.condition.is_some() {
        let condition = super::condition(emitter, element, Site::Write);
        let exact = element.words.null.is_none();
        all.extend(
            quote!(#rt::write::presence(__out, #shown, #condition, #own.is_some(), #exact)?;),
        );
    }
    let (zip, slot) = slots_of(emitter, field);
    let bind = bind(emitter, each, &quote!(__each), &quote!(__row));
    quote! {
        for ((__row, __each), #slot) in #rows.iter().zip(#name.iter()).zip(#zip) {
            #bind
            #all
        }
    }
}

/// Writes the value whose slot comes next, if it is one of this field.
pub(super) fn write_next(emitter: &Emitter<'_>, field: &Field<'_>, each: &Each<'_>) -> TokenStream {
    let rt = &emitter.rt;
    let (name, rows, first) = (local(&field.name), rows_of(&each.table), first_of(field));
    let piece = emitter.with_row(field, || piece(emitter, &each.element));
    let own = local(&each.element.name);
    let write = if each.element.is_optional() {
        quote!(if let ::core::option::Option::Some(__value) = #own { #piece })
    } else {
        quote!({ let __value = #own; #piece })
    };
    let bind = bind(emitter, each, &quote!(__each), &quote!(__row));
    quote! {
        if let ::core::option::Option::Some(__index) = #rt::each::index(__slot.id, #first, #name.len())
            && let (::core::option::Option::Some(__each), ::core::option::Option::Some(__row)) =
                (#name.get(__index), #rows.get(__index))
        {
            let __index = #rt::ops::wide(__index);
            #bind
            #write
        }
    }
}
