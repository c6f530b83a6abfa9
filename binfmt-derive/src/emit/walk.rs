//! The one walk: reads every field and tells the observer.

use proc_macro2::TokenStream;
use quote::quote;

use super::expr::{Wanted, measured, wide};
use super::{Emitter, Site, local, magic_array};
use crate::attr::Word;
use crate::derived::{Of, Source};
use crate::expr::{Expr, Measure};
use crate::model::{Field, Kind, Model};

/// The body of `walk` for a struct.
pub(crate) fn emit(emitter: &mut Emitter<'_>) -> TokenStream {
    let model = emitter.model;
    let rt = emitter.rt.clone();
    let count = model.fields().len();
    let magic = model.words.magic.as_ref().map(|magic| {
        let bytes = magic_array(model, &magic.value);
        quote!(#rt::walk::magic(__cur, __obs, #bytes)?;)
    });
    let measures = measured_locals(model);
    let sequence = sequence(emitter);
    let located = located(emitter);
    let end = end(emitter);
    let rules = emitter.read_rules(None, &model.words.rules);
    let derived = derived(emitter);
    let value = construct(emitter);
    let origin = model.words.origin.as_ref().map(|_| quote!(__cur.origin = __start;));
    quote! {
        let __start = __cur.pos();
        let __fill = ::core::mem::replace(&mut __cur.fill, #rt::Fill::Open);
        let __origin = __cur.origin;
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

/// Every length and count that any expression of the type asks for.
pub(crate) fn all_measures<'m>(model: &'m Model<'m>) -> Vec<(Measure, &'m Field<'m>)> {
    let mut list: Vec<(Measure, usize)> = Vec::new();
    for expr in all_exprs(model) {
        for (measure, name) in expr.measures() {
            if let Some((index, _)) = model.field(name)
                && !list.contains(&(measure, index))
            {
                list.push((measure, index));
            }
        }
    }
    list.into_iter()
        .filter_map(|(measure, index)| Some((measure, model.fields().get(index)?)))
        .collect()
}

fn all_exprs<'m>(model: &'m Model<'_>) -> Vec<&'m Expr> {
    let mut list: Vec<&Expr> = Vec::new();
    for words in model.fields().iter().map(|field| &field.words).chain([&model.words]) {
        let own = [
            &words.len,
            &words.count,
            &words.calc,
            &words.at,
            &words.condition,
            &words.align_before,
            &words.align_after,
            &words.pad_before,
            &words.pad_after,
            &words.pad_to,
        ];
        list.extend(own.into_iter().flatten().map(|word| &word.value));
        list.extend(words.rules.iter().map(|rule| &rule.condition));
    }
    list
}

/// The fields that follow one another.
fn sequence(emitter: &mut Emitter<'_>) -> TokenStream {
    let model = emitter.model;
    let last = filling_field(model);
    let region_after = region_field(model);
    let mut all = TokenStream::new();
    for (index, field) in model.fields().iter().enumerate().filter(|(_, field)| !field.is_located())
    {
        if Some(index) == last {
            all.extend(quote!(__cur.fill = __fill;));
        }
        all.extend(one_field(emitter, index, field));
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
        model.fields().iter().any(|field| field.is_located() && field.words.place.is_none());
    (!padded && !aligned && !unplaced).then_some(index)
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
        let told = expr.names().into_iter().find_map(|name| self.model.field(name));
        let (field, span) = match told.or_else(|| self.model.field(&own.name)) {
            Some((index, field)) if field.name != own.name => (index, quote!(__spans.get(#index))),
            own => (own.map_or(0, |(index, _)| index), quote!((__cur.pos(), __cur.end()))),
        };
        quote!(#rt::walk::Claim { layout: Self::WIRE, field: #field, span: #span })
    }
}

/// Limits the rest of the value to its `len`.
fn region(emitter: &mut Emitter<'_>, field: usize) -> TokenStream {
    let Some(Word { value: expr, .. }) = &emitter.model.words.len else {
        return TokenStream::new();
    };
    let function = emitter.function("len", expr, Wanted::Size);
    let call = emitter.call(&function, Site::Walk);
    let rt = &emitter.rt;
    let rest = super::layout::min_size_of(emitter, field.saturating_add(1));
    let claim =
        quote!(#rt::walk::Claim { layout: Self::WIRE, field: #field, span: __spans.get(#field) });
    quote! {
        let __size = #rt::walk::size(__obs, "len", #call, #claim)?;
        let mut __inner = #rt::walk::region(__cur, __obs, __start, __size, #claim)?;
        let __outer = (__cur, __fill);
        let __cur = &mut __inner;
        let __fill = ::core::mem::replace(&mut __cur.fill, #rt::Fill::Open);
        #rt::walk::need::<__O>(__cur, #rest)?;
    }
}

/// One field of the sequence, with its padding, condition and rules.
fn one_field(emitter: &mut Emitter<'_>, index: usize, field: &Field<'_>) -> TokenStream {
    let name = local(&field.name);
    let present = present_field(emitter, index, field);
    let rules = emitter.read_rules(Some((index, field)), &field.words.rules);
    let value = conditional(emitter, index, field, present);
    quote! {
        let #name = #value;
        #rules
    }
}

/// Wraps the reading of a field into its condition.
fn conditional(
    emitter: &mut Emitter<'_>,
    index: usize,
    field: &Field<'_>,
    present: TokenStream,
) -> TokenStream {
    if !field.is_optional() {
        return present;
    }
    let condition = condition(emitter, field, Site::Walk);
    let rt = &emitter.rt;
    quote! {
        if #condition {
            ::core::option::Option::Some(#present)
        } else {
            __spans.set(#index, __cur.pos(), __cur.pos());
            __obs.enter(Self::WIRE, #index, __cur.pos());
            __obs.leave(__cur.pos(), &#rt::Value::Absent);
            ::core::option::Option::None
        }
    }
}

/// Whether an optional field is there: its `if` holds and its offset is not the null one.
pub(crate) fn condition(emitter: &mut Emitter<'_>, field: &Field<'_>, site: Site) -> TokenStream {
    let mut parts = Vec::new();
    if let Some(word) = &field.words.condition {
        let function = emitter.function("if", &word.value, Wanted::Truth);
        let call = emitter.call(&function, site);
        parts.push(quote!(#call == ::core::option::Option::Some(true)));
    }
    if let (Some(null), Some(at), Site::Walk) = (&field.words.null, &field.words.at, site) {
        let function = emitter.function("at", &at.value, Wanted::Size);
        let call = emitter.call(&function, site);
        let null = &null.value;
        parts.push(quote!(#call != ::core::option::Option::Some(#null)));
    }
    match parts.as_slice() {
        [] => quote!(true),
        [one] => one.clone(),
        _ => quote!(#(#parts)&&*),
    }
}

/// Reads a field that is there; the block's value is that of the field.
fn present_field(emitter: &mut Emitter<'_>, index: usize, field: &Field<'_>) -> TokenStream {
    let rt = emitter.rt.clone();
    let before = padding(
        emitter,
        field,
        &[("pad_before", &field.words.pad_before), ("align_before", &field.words.align_before)],
    );
    let value = read_value(emitter, field);
    let nul = field.words.nul.as_ref().map(|_| quote!(#rt::walk::nul(__cur, __obs)?;));
    let after = padding(
        emitter,
        field,
        &[("pad_after", &field.words.pad_after), ("align_after", &field.words.align_after)],
    );
    // The room of a padded field is a region: one check for the value and its padding.
    let (room, rest) = match &field.words.pad_to {
        Some(pad_to) => {
            let function = emitter.function("pad_to", &pad_to.value, Wanted::Size);
            let call = emitter.call(&function, Site::Walk);
            let (claim, fill) = (emitter.claim(&pad_to.value, field), Emitter::fill(field));
            let room = quote! {
                let __size = #rt::walk::size(__obs, "pad_to", #call, #claim)?;
                let mut __room = #rt::walk::room(__cur, __obs, __size, #claim)?;
                let __cur = &mut __room;
            };
            (room, quote!(#rt::walk::padding_left(__cur, __obs, #fill);))
        }
        None => (TokenStream::new(), TokenStream::new()),
    };
    let measures =
        all_measures(emitter.model).into_iter().filter(|(_, other)| other.name == field.name);
    let measures: TokenStream = measures
        .map(|(measure, _)| {
            let name = measured(measure, &field.name);
            match measure {
                Measure::Len => quote!(#name = #rt::ops::wide(__cur.pos().wrapping_sub(__at));),
                Measure::Count => quote!(#name = #rt::ops::wide(__value.len());),
                Measure::Start => quote!(#name = #rt::ops::wide(__at.wrapping_sub(__cur.origin));),
            }
        })
        .collect();
    let shown = shown(&rt, field);
    let (enter, leave) = if emitter.model.is_transparent() {
        (quote!(), quote!())
    } else {
        (
            quote!(__obs.enter(Self::WIRE, #index, __at);),
            quote!(if __O::RECORD { __obs.leave(__end, &#shown); }),
        )
    };
    quote! {{
        #before
        let __at = __cur.pos();
        #enter
        #room
        let __value = #value;
        #measures
        #nul
        let __end = __cur.pos();
        __spans.set(#index, __at, __end);
        #rest
        #after
        #leave
        __value
    }}
}

/// Padding before or after a field, in the order given.
fn padding(
    emitter: &mut Emitter<'_>,
    field: &Field<'_>,
    words: &[(&'static str, &Option<Word<Expr>>)],
) -> TokenStream {
    let fill = Emitter::fill(field);
    let mut all = TokenStream::new();
    // With `pad_to` an alignment only says how the writer rounds the space it makes.
    let padded_to = field.words.pad_to.is_some();
    for (word, expr) in words.iter().filter_map(|(word, expr)| Some((*word, expr.as_ref()?))) {
        if word == "align_after" && padded_to {
            continue;
        }
        let function = emitter.function(word, &expr.value, Wanted::Size);
        let call = emitter.call(&function, Site::Walk);
        let rt = &emitter.rt;
        let claim = emitter.claim(&expr.value, field);
        let distance = distance(emitter, field);
        let size = quote!(let __size = #rt::walk::size(__obs, #word, #call, #claim)?;);
        all.extend(match word {
            "pad_before" | "pad_after" => {
                quote!(#size #rt::walk::pad(__cur, __obs, __size, #fill)?;)
            }
            _ => quote! {
                #size
                let __gap = #rt::walk::gap(#distance, __size);
                let __gap = #rt::walk::size(__obs, #word, __gap, #claim)?;
                #rt::walk::pad(__cur, __obs, __gap, #fill)?;
            },
        });
    }
    all
}

/// The value of a field, without its surroundings.
fn read_value(emitter: &mut Emitter<'_>, field: &Field<'_>) -> TokenStream {
    if let Some(with) = &field.words.with {
        let (rt, path) = (&emitter.rt, &with.value);
        return quote!(#rt::walk::with(__cur, __obs, #path::read)?);
    }
    let len = field.words.len.as_ref().map(|word| {
        let function = emitter.function("len", &word.value, Wanted::Size);
        (emitter.call(&function, Site::Walk), emitter.claim(&word.value, field))
    });
    let rt = emitter.rt.clone();
    let order = emitter.order(field);
    let args = emitter.field_args(field, Site::Walk);
    let inner = field.inner;
    match field.kind {
        Kind::Scalar(_) if is_bool(field) => quote!(__obs.nested::<bool>(__cur, #order)?),
        Kind::Scalar(_) => quote!(#rt::walk::int::<#inner, __O>(__cur, __obs, #order)?),
        Kind::Auto(_, ty) => quote!(#rt::walk::int::<#ty, __O>(__cur, __obs, #order)?),
        Kind::Bytes { owned } => {
            let bytes = bytes(&rt, len.as_ref());
            if owned { quote!(#rt::vec::bytes(#bytes)) } else { bytes }
        }
        Kind::Text { owned } => {
            let bytes = bytes(&rt, len.as_ref());
            let text = quote!({ let __bytes = #bytes; #rt::walk::text(__cur, __obs, __bytes)? });
            if owned { quote!(#rt::vec::string(#text)) } else { text }
        }
        Kind::Seq(_) | Kind::Vec(_) => {
            let until = until(emitter, field);
            let slack = field.words.level.is_some();
            let read = if let Kind::Seq(item) = field.kind {
                quote!(#rt::Seq::<#item>::read(__cur, __obs, __until, #slack, __passed)?)
            } else {
                quote!(#rt::vec::read(__cur, __obs, __until, __passed)?)
            };
            let read = quote!({ let __passed = #args; let __until = #until; #read });
            in_region(&rt, len.as_ref(), read, matches!(field.kind, Kind::Vec(_)))
        }
        Kind::Array(_) | Kind::Nested => {
            let read = quote!({ let __passed = #args; __obs.nested::<#inner>(__cur, __passed)? });
            in_region(&rt, len.as_ref(), read, true)
        }
    }
}

fn is_bool(field: &Field<'_>) -> bool {
    field.kind.scalar().is_some_and(|scalar| scalar.numeric == crate::model::Numeric::Bool)
}

fn bytes(rt: &TokenStream, len: Option<&(TokenStream, TokenStream)>) -> TokenStream {
    match len {
        Some((call, claim)) => quote!({
            let __size = #rt::walk::size(__obs, "len", #call, #claim)?;
            #rt::walk::bytes(__cur, __obs, __size, #claim)?
        }),
        None => quote!(#rt::walk::rest(__cur)),
    }
}

/// Reads within an exact region of `len` bytes, if there is a `len`.
fn in_region(
    rt: &TokenStream,
    len: Option<&(TokenStream, TokenStream)>,
    read: TokenStream,
    finish: bool,
) -> TokenStream {
    let Some((call, claim)) = len else { return read };
    let finish = finish.then(|| quote!(#rt::walk::finish(__cur, __obs)?;));
    quote!({
        let __size = #rt::walk::size(__obs, "len", #call, #claim)?;
        let mut __part = #rt::walk::sub(__cur, __obs, __size, #claim)?;
        let __cur = &mut __part;
        let __read = #read;
        #finish
        __read
    })
}

/// Where a sequence ends.
fn until(emitter: &mut Emitter<'_>, field: &Field<'_>) -> TokenStream {
    if let Some(count) = &field.words.count {
        let function = emitter.function("count", &count.value, Wanted::Size);
        let call = emitter.call(&function, Site::Walk);
        let claim = emitter.claim(&count.value, field);
        let (Kind::Seq(item) | Kind::Vec(item)) = field.kind else { return TokenStream::new() };
        let rt = &emitter.rt;
        return quote! {{
            let __count = #rt::walk::size(__obs, "count", #call, #claim)?;
            #rt::walk::count::<#item, __O>(__cur, __obs, __count, #claim)?;
            #rt::Until::Count(__count)
        }};
    }
    let rt = &emitter.rt;
    match &field.words.until {
        Some(Word { value: Expr::Binary(_, _, least), .. }) => {
            let least = match &**least {
                Expr::Int(value, _) => {
                    let literal = proc_macro2::Literal::u64_unsuffixed(*value);
                    quote!(#literal)
                }
                Expr::Path(path) => quote!(#rt::ops::to_len(#path)),
                _ => quote!(1),
            };
            quote!(#rt::Until::Remaining(#least))
        }
        _ => quote!(#rt::Until::Remaining(1)),
    }
}

/// What an inspector shows of `__value`.
fn shown(rt: &TokenStream, field: &Field<'_>) -> TokenStream {
    if field.words.with.is_some() {
        return quote!(#rt::Value::Bytes(__cur.range(__at, __end)));
    }
    match field.kind {
        Kind::Bytes { .. } => quote!(#rt::Value::Bytes(&__value)),
        Kind::Text { .. } => quote!(#rt::Value::Str(&__value)),
        Kind::Seq(_) => quote!(__value.value()),
        Kind::Vec(_) => {
            quote!(#rt::Value::Items(::core::option::Option::Some(#rt::ops::wide(__value.len()))))
        }
        Kind::Auto(_, ty) => quote!(<#ty as #rt::Wire<'_>>::value(&__value)),
        _ => {
            let ty = field.inner;
            quote!(<#ty as #rt::Wire<'_>>::value(&__value))
        }
    }
}

/// The fields that lie at offsets, in declaration order, and a look at the room they share.
fn located(emitter: &mut Emitter<'_>) -> TokenStream {
    let model = emitter.model;
    let mut all = TokenStream::new();
    for (index, field) in model.fields().iter().enumerate().filter(|(_, field)| field.is_located())
    {
        let name = local(&field.name);
        let read = located_field(emitter, index, field);
        let value = conditional(emitter, index, field, read);
        let rules = emitter.read_rules(Some((index, field)), &field.words.rules);
        all.extend(quote! { let #name = #value; #rules });
    }
    let rt = &emitter.rt;
    for (section, _) in
        model.fields().iter().enumerate().filter(|(_, field)| field.words.section.is_some())
    {
        let inside = placed_in(model, Some(section));
        all.extend(quote! {
            if __O::RECORD {
                #rt::place::look_at(__cur, __obs, Self::WIRE, __spans.get(#section), __spans.all(), &[#(#inside),*], true);
            }
        });
    }
    let unplaced = placed_in(model, None);
    if !unplaced.is_empty() {
        all.extend(quote! {
            let __sequence_end = __cur.pos();
            let __furthest = __spans.furthest(&[#(#unplaced),*]);
            #rt::place::advance(__cur, __obs, __furthest)?;
            if __O::RECORD {
                let __room = (__sequence_end, __cur.pos());
                #rt::place::look_at(__cur, __obs, Self::WIRE, __room, __spans.all(), &[#(#unplaced),*], false);
            }
        });
    }
    all
}

/// The located fields of a section, or those without one.
pub(crate) fn placed_in(model: &Model<'_>, section: Option<usize>) -> Vec<usize> {
    let fields = model.fields().iter().enumerate().filter(|(_, field)| field.is_located());
    fields
        .filter(|(_, field)| {
            let place = field.words.place.as_ref().and_then(|place| model.field(&place.value));
            place.map(|(index, _)| index) == section
        })
        .map(|(index, _)| index)
        .collect()
}

fn located_field(emitter: &mut Emitter<'_>, index: usize, field: &Field<'_>) -> TokenStream {
    let Some(at) = &field.words.at else { return TokenStream::new() };
    let function = emitter.function("at", &at.value, Wanted::Size);
    let call = emitter.call(&function, Site::Walk);
    let read = present_field(emitter, index, field);
    let rt = &emitter.rt;
    let base = match &field.words.base {
        None => quote!(__cur.origin),
        Some(base) if base.value == "file" => quote!(0_usize),
        Some(_) => quote!(__start),
    };
    let claim = emitter.claim(&at.value, field);
    // Within a section the field cannot reach out of it, so that what is read stays linear.
    let section = field.words.place.as_ref().and_then(|place| emitter.model.field(&place.value));
    let locate = match section {
        Some((index, section)) => {
            let name = local(&section.name);
            let bytes = match section.kind {
                Kind::Bytes { owned: false } => quote!(#name),
                _ => quote!(__cur.range(__spans.get(#index).0, __spans.get(#index).1)),
            };
            let start = quote!(__spans.get(#index).0);
            let lead = lead(emitter, field, index, &quote!(#start.wrapping_sub(#base)));
            quote!(#rt::place::locate_within(__cur, __obs, (#bytes, #start), #lead, __offset, #claim)?)
        }
        None => quote!(#rt::place::locate(__cur, __obs, #base, __offset, #claim)?),
    };
    let inner = field.inner;
    let free = match field.kind {
        Kind::Bytes { owned: false } => quote!(true),
        Kind::Nested | Kind::Array(_) if field.words.with.is_none() => {
            quote!(<#inner as #rt::Wire<'_>>::SHALLOW)
        }
        _ => quote!(false),
    };
    let pay = quote!(if !#free { #rt::place::pay(__obs, __from, &__there)?; });
    quote! {{
        let __offset = #rt::walk::size(__obs, "at", #call, #claim)?;
        let mut __there = #locate;
        let __from = __there.pos();
        let __read = { let __cur = &mut __there; let __read = #read; __spans.set(#index, __from, __cur.pos()); __read };
        #pay
        __read
    }}
}

/// How far behind the start of the value the walk is: told by the section where that is constant,
/// for there it costs no position.
fn distance(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let computed = quote!(__cur.pos().wrapping_sub(__start));
    let place = field.words.place.as_ref().and_then(|place| emitter.model.field(&place.value));
    let Some((index, section)) = place else { return computed };
    let name = local(&section.name);
    let (fixed, lead) = super::layout::sizes_before(emitter, index);
    quote! {
        if #fixed {
            (#lead).wrapping_add(#name.len()).wrapping_sub(__cur.remaining())
        } else {
            #computed
        }
    }
}

/// How far behind its base a section begins: a constant where all before it has a fixed size.
fn lead(
    emitter: &Emitter<'_>,
    field: &Field<'_>,
    section: usize,
    computed: &TokenStream,
) -> TokenStream {
    let own = match &field.words.base {
        Some(base) => base.value == "start",
        None => emitter.model.words.origin.is_some(),
    };
    if !own {
        return computed.clone();
    }
    let (fixed, len) = super::layout::sizes_before(emitter, section);
    quote!(if #fixed { #len } else { #computed })
}

/// Type-level padding and the end of the region.
fn end(emitter: &mut Emitter<'_>) -> TokenStream {
    let model = emitter.model;
    let rt = emitter.rt.clone();
    let region = model.words.len.is_some();
    let finish = region.then(|| {
        quote! {
            #rt::walk::finish(__cur, __obs)?;
            let (__cur, __fill) = __outer;
        }
    });
    let align = model.words.align_after.as_ref().map(|align| {
        let function = emitter.function("align_after", &align.value, Wanted::Size);
        let call = emitter.call(&function, Site::Walk);
        let claim =
            quote!(#rt::walk::Claim { layout: Self::WIRE, field: 0, span: (__start, __cur.pos()) });
        quote! {
            let __size = #rt::walk::size(__obs, "align_after", #call, #claim)?;
            let __gap = #rt::walk::gap(__cur.pos().wrapping_sub(__start), __size);
            let __gap = #rt::walk::size(__obs, "align_after", __gap, #claim)?;
            #rt::walk::pad(__cur, __obs, __gap, 0)?;
        }
    });
    quote! {
        #finish
        #align
        __cur.fill = __fill;
        __cur.origin = __origin;
    }
}

/// Compares computed fields with what is stored.
fn derived(emitter: &mut Emitter<'_>) -> TokenStream {
    let mut all = TokenStream::new();
    let steps = emitter.steps;
    for step in steps {
        let Source::Calc(expr) = step.source else { continue };
        let function = emitter.function("calc", expr, Wanted::Size);
        let call = emitter.call(&function, Site::Walk);
        let (rt, target) = (&emitter.rt, step.target);
        let Some(field) = emitter.model.fields().get(target) else { continue };
        let stored = wide(rt, field);
        all.extend(quote! {
            let __depth = __obs.depth();
            __obs.reopen(Self::WIRE, #target);
            #rt::walk::derived(__obs, __spans.get(#target), #call, #stored);
            __obs.close(__depth);
        });
    }
    all.extend(claims_of_absent(emitter));
    if all.is_empty() {
        return all;
    }
    quote!(if __O::RECORD { #all })
}

/// A length or count of a field that is not there is written as 0, so another value gets lost.
fn claims_of_absent(emitter: &mut Emitter<'_>) -> TokenStream {
    let mut all = TokenStream::new();
    let steps = emitter.steps;
    for step in steps {
        let Source::Solved(solved) = &step.source else { continue };
        let (Of::Len(index) | Of::Count(index)) = solved.of else { continue };
        let Some(field) = emitter.model.fields().get(index).filter(|field| field.is_optional())
        else {
            continue;
        };
        let Some(word) = field.words.len.as_ref().or(field.words.count.as_ref()) else { continue };
        let function = emitter.function("len", &word.value, Wanted::Size);
        let call = emitter.call(&function, Site::Walk);
        let (rt, target, name) = (&emitter.rt, step.target, local(&field.name));
        all.extend(quote! {
            if #name.is_none() {
                let __depth = __obs.depth();
                __obs.reopen(Self::WIRE, #target);
                #rt::walk::of_absent(__obs, __spans.get(#target), #call);
                __obs.close(__depth);
            }
        });
    }
    all
}

/// Puts the fields together and runs the hand-written rules.
fn construct(emitter: &Emitter<'_>) -> TokenStream {
    let rt = &emitter.rt;
    let fields = emitter.model.fields().iter().map(|field| {
        let (member, name) = (&field.member, local(&field.name));
        match field.kind {
            Kind::Auto(..) => quote!(#member: #rt::Auto::new()),
            _ => quote!(#member: #name),
        }
    });
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
        let __value = Self { #(#fields),* };
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
    match field.kind {
        Kind::Scalar(_) | Kind::Nested => quote!(#rt::Wire::value(&self.#member)),
        Kind::Bytes { .. } => quote!(#rt::Value::Bytes(&self.#member)),
        Kind::Text { .. } => quote!(#rt::Value::Str(&self.#member)),
        _ => quote!(#rt::Value::Group),
    }
}
