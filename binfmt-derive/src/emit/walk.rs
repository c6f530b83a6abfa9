//! The one walk: reads every field and tells the observer.

mod derived;
mod each;
mod field;
mod floating;
mod located;
mod shown;
mod until;

use proc_macro2::TokenStream;
use quote::quote;

use super::expr::{Wanted, all_measures, measured};
use super::magic::{self, told_order, type_magic};
use super::{Emitter, Site, checksum, local, plain};
use crate::attr::Word;
use crate::expr::{Expr, Measure};
use crate::model::{Field, Kind, Model, is_byte};

pub(crate) use field::condition;
pub(crate) use located::placed_in;
pub(crate) use until::until_last;

/// The body of `walk` for a struct.
pub(crate) fn emit(emitter: &Emitter<'_>) -> TokenStream {
    let model = emitter.model;
    let rt = emitter.rt.clone();
    let count = model.fields().len();
    let magic = type_magic(emitter).map(|bytes| quote!(#rt::walk::magic(__cur, __obs, #bytes)?;));
    let (set_order, _) = magic::around(emitter, &quote!(__cur));
    let order = (model.order_known() == Some(0)).then(|| told_order(emitter, Site::Walk));
    let measures = measured_locals(model);
    let sequence = sequence(emitter);
    let located = located::located(emitter);
    let end = end(emitter);
    let rules = emitter.read_rules(None, &model.words.rules);
    let derived = derived::derived(emitter);
    let checksums = checksum::verify(emitter);
    let value = construct(emitter);
    let origin = model.words.origin.as_ref().map(|_| quote!(__cur.origin = __start;));
    quote! {
        let __start = __cur.pos();
        let __fill = ::core::mem::replace(&mut __cur.fill, #rt::Fill::Open);
        let __origin = __cur.origin;
        #set_order
        #order
        #origin
        let mut __spans = #rt::place::Spans::<#count>::new();
        #measures
        #rt::walk::need::<__O>(__cur, <Self as #rt::Wire<'_>>::MIN_SIZE)?;
        #magic
        #sequence
        #located
        #end
        #rules
        #derived
        #checksums
        #value
    }
}

/// Locals for the lengths that expressions ask for.
fn measured_locals(model: &Model<'_>) -> TokenStream {
    let mut all = TokenStream::new();
    for (measure, field) in all_measures(model) {
        let name = measured(measure, &field.name);
        all.extend(quote!(let mut #name = 0_u64;));
    }
    all
}

/// The fields that follow one another.
fn sequence(emitter: &Emitter<'_>) -> TokenStream {
    let model = emitter.model;
    let last = filling_field(model);
    let region_after = region_field(model);
    let order_known = |index: usize| model.order_known() == Some(index.saturating_add(1));
    // What the declaration says of a field is looked at before the next one is read.
    let ends = |index: usize, field: &Field<'_>| {
        order_known(index)
            || Some(index) == region_after
            || !field::rules(emitter, index, field).is_empty()
    };
    let mut all = quote!(__cur.stepped = false;);
    let mut fields = model.fields().iter().enumerate().filter(|(_, field)| !field.is_located());
    while let Some((mut index, mut field)) = fields.next() {
        if Some(index) == last {
            all.extend(quote!(__cur.fill = __fill;));
        }
        match plain::read(emitter, index, ends) {
            Some((count, run)) => {
                all.extend(run);
                let others = count.checked_sub(2).and_then(|skip| fields.nth(skip));
                (index, field) = others.unwrap_or((index, field));
                all.extend(field::rules(emitter, index, field));
            }
            None => {
                all.extend(field::one_field(emitter, index, field));
                // A region inside the value does not tell where the value ends.
                if field.kind.scalar().is_none() && !field.kind.is_bytes() {
                    all.extend(quote!(__cur.stepped = false;));
                }
            }
        }
        if order_known(index) {
            all.extend(told_order(emitter, Site::Walk));
        }
        if Some(index) == region_after {
            all.extend(region(emitter, index));
        }
    }
    if model.fields().iter().any(Field::is_located) {
        all.extend(quote!(__cur.stepped = true;));
    }
    all
}

/// The last field of the sequence, if nothing of the value follows it.
fn filling_field(model: &Model<'_>) -> Option<usize> {
    let (index, field) =
        model.fields().iter().enumerate().rfind(|(_, field)| !field.is_located())?;
    let words = &field.words;
    let padded = words.pad_after.is_some()
        || words.align_after.is_some()
        || words.pad_to.is_some()
        || words.nul.is_some();
    let aligned = model.words.align_after.is_some() && model.words.len.is_none();
    let unplaced =
        model.fields().iter().any(|field| field.is_located() && field.one().words.place.is_none());
    // What follows the items must not be counted with them.
    let measured = all_measures(model).iter().any(|(measure, other)| {
        *measure == Measure::Len && other.name == field.name && words.count.is_some()
    });
    (!padded && !aligned && !unplaced && !measured).then_some(index)
}

/// The field after which `len` of the type is known.
pub(crate) fn region_field(model: &Model<'_>) -> Option<usize> {
    let len = model.words.len.as_ref()?;
    len.value.names().into_iter().filter_map(|name| model.field(name)).map(|(index, _)| index).max()
}

impl Emitter<'_> {
    /// The field that an expression takes its number from, for errors: the field itself if that is
    /// a constant.
    fn claim(&self, expr: &Expr, own: &Field<'_>) -> TokenStream {
        let rt = &self.rt;
        if let Some(table) = own.is_element.then(|| each::table_of(self.model, own)).flatten()
            && expr.names().iter().any(|name| *name == "it")
        {
            return quote!(__row.claim(Self::WIRE, #table));
        }
        let told = expr.names().into_iter().find_map(|name| self.model.field(name));
        let (field, span) = match told.or_else(|| self.model.field(&own.name)) {
            Some((index, field)) if field.name != own.name => (index, quote!(__spans.get(#index))),
            own => (own.map_or(0, |(index, _)| index), quote!((__cur.pos(), __cur.end()))),
        };
        let field = if self.model.is_transparent() {
            quote!(::core::primitive::usize::MAX)
        } else {
            quote!(#field)
        };
        quote!(#rt::walk::Claim::of(Self::WIRE, #field, #span))
    }
}

/// Limits the rest of the value to its `len`.
fn region(emitter: &Emitter<'_>, field: usize) -> TokenStream {
    let Some(Word { value: expr, .. }) = &emitter.model.words.len else {
        return TokenStream::new();
    };
    let function = emitter.function("len", expr, Wanted::Size);
    let call = emitter.call(&function, Site::Walk);
    let rt = &emitter.rt;
    let rest = super::layout::min_size_of(emitter, field.saturating_add(1));
    let claim = quote!(#rt::walk::Claim::of(Self::WIRE, #field, __spans.get(#field)));
    quote! {
        let __size = #rt::walk::whole_size(__obs, "len", #call, #claim)?;
        let mut __inner = #rt::walk::region(__cur, __obs, __start, __size, #claim)?;
        let __outer = (__cur, __fill);
        let __cur = &mut __inner;
        let __fill = ::core::mem::replace(&mut __cur.fill, #rt::Fill::Open);
        #rt::walk::need::<__O>(__cur, #rest)?;
    }
}

/// Type-level padding and the end of the region.
fn end(emitter: &Emitter<'_>) -> TokenStream {
    let model = emitter.model;
    let rt = emitter.rt.clone();
    let finish = if model.words.len.is_some() {
        quote! {
            #rt::walk::finish(__cur, __obs)?;
            let (__cur, __fill) = __outer;
        }
    } else if all_measures(model).iter().any(|(measure, _)| *measure == Measure::Remaining) {
        quote!(#rt::walk::finish_region(__cur, __obs)?;)
    } else {
        TokenStream::new()
    };
    let align = model.words.align_after.as_ref().map(|align| {
        let function = emitter.function("align_after", &align.value, Wanted::Size);
        let call = emitter.call(&function, Site::Walk);
        let claim = quote!(#rt::walk::Claim::of(Self::WIRE, 0, (__start, __cur.pos())));
        quote! {
            let __size = #rt::walk::whole_size(__obs, "align_after", #call, #claim)?;
            let __gap = #rt::walk::gap(__cur.pos().wrapping_sub(__start), __size);
            let __gap = #rt::walk::whole_size(__obs, "align_after", __gap, #claim)?;
            #rt::walk::pad(__cur, __obs, __gap, 0)?;
        }
    });
    let value_end = checksum::value_end(emitter);
    let (_, take_back) = magic::around(emitter, &quote!(__cur));
    quote! {
        #finish
        #value_end
        #align
        #take_back
        __cur.fill = __fill;
        __cur.origin = __origin;
    }
}

/// Puts the fields together and runs the hand-written rules.
pub(super) fn construct(emitter: &Emitter<'_>) -> TokenStream {
    let rt = &emitter.rt;
    let fields = emitter.model.fields().iter().map(|field| {
        let (member, name) = (&field.member, local(&field.name));
        match field.kind {
            Kind::Auto(..) => quote!(#member: #rt::Auto::new()),
            _ => quote!(#member: #name),
        }
    });
    let skipped = super::skip::members(emitter.model);
    let rules = emitter.model.words.rules_path.as_ref().map(|path| {
        let path = &path.value;
        quote! {
            if __O::RECORD {
                let __whole = (__start, __cur.pos());
                #rt::rules::run(__obs, Self::WIRE, __spans.all(), __whole, |__rules| #path(&__value, __rules));
            }
        }
    });
    quote! {
        let __value = Self { #(#fields,)* #skipped };
        #rules
        ::core::result::Result::Ok(__value)
    }
}

/// What an inspector shows of a whole value.
pub(crate) fn value(emitter: &Emitter<'_>) -> TokenStream {
    let rt = &emitter.rt;
    let [field] = emitter.model.fields() else { return quote!(#rt::Value::Group) };
    if !emitter.model.is_transparent() {
        return quote!(#rt::Value::Group);
    }
    let member = &field.member;
    if emitter.model.words.bitflags.is_some() {
        return quote! {
            let mut __names = #rt::Names::default();
            for (__name, _) in self.iter_names() {
                __names.push(__name);
            }
            #rt::Value::Flags { bits: #rt::ops::Widen::widen(self.#member), names: __names }
        };
    }
    if field.words.map.is_some() {
        return quote!(#rt::Value::Group);
    }
    match field.kind {
        Kind::Array(item) if is_byte(item) => quote!(#rt::Value::Bytes(&self.#member)),
        Kind::Scalar(_) | Kind::Nested | Kind::Array(_) => {
            quote!(#rt::Wire::value(&self.#member))
        }
        Kind::Bytes { .. } => quote!(#rt::Value::Bytes(&self.#member)),
        Kind::Text { .. } => quote!(#rt::Value::Str(&self.#member)),
        Kind::Utf16 => quote!(#rt::Value::Utf16(self.#member)),
        _ => quote!(#rt::Value::Group),
    }
}
