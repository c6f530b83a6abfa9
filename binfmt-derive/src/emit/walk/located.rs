//! Fields that lie at offsets, and the place that they share.

use proc_macro2::TokenStream;
use quote::quote;

use super::floating::floating;
use super::parallel;
use super::starts::up_to_next;
use crate::emit::layout::has_told_padding;
use crate::emit::write::limits::limits;
use crate::emit::{Emitter, Site, local, overrides};
use crate::model::{Field, Kind, Space, is_item};
use crate::steps::{Base, Place, Slots, Value, What};

/// A look at the place that located fields share.
pub(super) fn slots(emitter: &Emitter<'_>, slots: &Slots) -> TokenStream {
    let rt = &emitter.rt;
    let placements = parallel::placements(emitter, slots.space, &slots.fields);
    match slots.space {
        Space::Section(section) => in_section(emitter, section, slots, &placements),
        Space::Behind => behind_the_sequence(emitter, slots, &placements),
        Space::Around => quote!(if __O::RECORD {
            #placements
            #rt::place::lie_around(__obs, Self::__WIRE, &__placements);
        }),
    }
}

/// A look at what follows the sequence.
fn behind_the_sequence(
    emitter: &Emitter<'_>,
    slots: &Slots,
    placements: &TokenStream,
) -> TokenStream {
    let (rt, inside, extents) = (&emitter.rt, &slots.fields, emitter.extents());
    let can_lie = can_lie(emitter, inside);
    let floating = floating(emitter, inside, &quote!(__sequence_end), slots.space);
    let fields = inside.iter().filter_map(|index| emitter.model.fields().get(*index));
    let ends = fields.into_iter().any(|field| field.one().goes_to_next());
    quote! {
        let __sequence_end = __cur.pos();
        let __furthest = #extents.furthest(&[#(#inside),*]);
        #rt::place::advance(__cur, __obs, __furthest)?;
        if __O::RECORD {
            #placements
            let __held = #rt::place::Held {
                span: (__sequence_end, __cur.pos()), start: __start, kept: false, ends: #ends,
                fill: 0,
            };
            #rt::place::look_at(__cur, __obs, Self::__WIRE, __held, &mut __placements, #can_lie);
            #floating
        }
    }
}

/// A look at a section.
fn in_section(
    emitter: &Emitter<'_>,
    section: usize,
    slots: &Slots,
    placements: &TokenStream,
) -> TokenStream {
    let (rt, inside) = (&emitter.rt, &slots.fields);
    let Some(field) = emitter.model.fields().get(section) else { return TokenStream::new() };
    let begin = quote!(__spans.get(#section).0);
    let floating = floating(emitter, inside, &begin, slots.space);
    let (fill, can_lie) = (Emitter::fill(field), can_lie(emitter, inside));
    let look_at = if field.is_open() { quote!(look_at_open) } else { quote!(look_at) };
    let look = quote! {
        #placements
        let __held = #rt::place::Held {
            span: __spans.get(#section), start: __start, kept: true, ends: false, fill: #fill,
        };
        #rt::place::#look_at(__cur, __obs, Self::__WIRE, __held, &mut __placements, #can_lie);
        #floating
    };
    let look = overrides::about(emitter, field, look);
    quote!(if __O::RECORD { #look })
}

/// What reads a value in an open section: values of that value may lie there, too.
pub(super) fn in_the_open(emitter: &Emitter<'_>, space: Space, read: &TokenStream) -> TokenStream {
    let rt = &emitter.rt;
    let section = space.section().and_then(|index| emitter.model.fields().get(index));
    if section.is_none_or(|section| !section.is_open()) {
        return quote!(#read?);
    }
    quote! {{
        #rt::place::reopen_section(__obs);
        let __visited = #read;
        #rt::place::close_section(__obs);
        __visited?
    }}
}

/// A function that tells, for the fields that cannot lie everywhere, where a writer places them.
fn can_lie(emitter: &Emitter<'_>, inside: &[usize]) -> TokenStream {
    let rt = &emitter.rt;
    let arms = inside.iter().filter_map(|index| {
        let field = emitter.model.fields().get(*index)?.one();
        let place = emitter.lowered.place(*index)?;
        let base = base(place.base);
        let base = quote!(#rt::ops::wide(#base));
        let limits = limits(emitter, field, &base, Site::Walk);
        let align = match place.align {
            // What an item tells of its own alignment is not known here.
            Some((_, to)) if to.names().iter().any(|name| is_item(name)) => {
                return None;
            }
            Some((word, to)) => {
                let call = emitter.size(word, to, Site::Walk);
                quote!(#call.unwrap_or(1))
            }
            None if limits.is_empty() => return None,
            None => quote!(1),
        };
        Some(quote! {
            #index => __rt::Some(#rt::place::Slot::to_write(
                true, __rt::None, #base, #align, __rt::None, __rt::Some(false),
            ) #limits),
        })
    });
    let arms: Vec<TokenStream> = arms.collect();
    if arms.is_empty() {
        return quote!(&|_| __rt::None);
    }
    quote!(&|__field| match __field { #(#arms)* _ => __rt::None })
}

/// What the offset of a located field counts from, for a reader.
pub(super) fn base(base: Base) -> TokenStream {
    match base {
        Base::Origin => quote!(__cur.origin),
        Base::File => quote!(0_usize),
        Base::Field(other) => quote!(__spans.get(#other).0),
        Base::Start => quote!(__start),
    }
}

/// Reads a field where it lies; `present` reads it there.
pub(super) fn located(
    emitter: &Emitter<'_>,
    index: usize,
    field: &Field<'_>,
    place: Place<'_>,
    present: &TokenStream,
) -> TokenStream {
    let rt = &emitter.rt;
    let call = emitter.size("at", place.at, Site::Walk);
    let base = base(place.base);
    let claim = emitter.claim(place.at, index);
    // Within a section the field cannot reach out of it, so that what is read stays linear.
    let locate = match section(emitter, &place) {
        Some((bytes, start, lead)) => {
            quote!(#rt::place::locate_within(__cur, __obs, (#bytes, #start), #lead, __offset, #claim)?)
        }
        None => quote!(#rt::place::locate(__cur, __obs, #base, __offset, #claim)?),
    };
    let free = free(emitter, index, field);
    let ends = field.goes_to_next().then(|| up_to_next(emitter, place.space));
    let visited = quote!(#rt::place::Visited::Field(Self::__WIRE, #index));
    let all =
        emitter.lowered.has_extents().then(|| quote!(__extents.set(#index, __from, __cur.pos());));
    let visit = quote! {
        #rt::place::visit(__obs, __cur, &mut __there, (#free, #visited), #[inline(always)] |__cur, __obs| {
            let __read = #present;
            #all
            ::core::result::Result::Ok(__read)
        })
    };
    let visit = in_the_open(emitter, place.space, &visit);
    quote! {{
        let __offset = #rt::walk::size(__obs, "at", #call, #claim)?;
        let mut __there = #locate;
        #ends
        let __from = __there.pos();
        let __lies = __from;
        #visit
    }}
}

/// The section that a field lies in: its bytes, where it begins, and how far that is behind what the
/// offset counts from.
pub(super) fn section(
    emitter: &Emitter<'_>,
    place: &Place<'_>,
) -> Option<(TokenStream, TokenStream, TokenStream)> {
    let section = place.space.section()?;
    let field = emitter.model.fields().get(section)?;
    let (name, base) = (local(&field.name), base(place.base));
    let bytes = match field.kind {
        Kind::Bytes { owned: false } => quote!(#name),
        _ => quote!(__cur.range(__spans.get(#section).0, __spans.get(#section).1)),
    };
    let start = quote!(__spans.get(#section).0);
    let lead = lead(emitter, place.base, section, &quote!(#start.wrapping_sub(#base)));
    Some((bytes, start, lead))
}

/// Whether reading the value costs the same however long it is.
pub(in crate::emit) fn free(emitter: &Emitter<'_>, index: usize, field: &Field<'_>) -> TokenStream {
    let (rt, stored) = (&emitter.rt, field.stored());
    // A writer compares all of a view with what lies there.
    if field.is_view() || has_told_padding(field) {
        return quote!(false);
    }
    let value = emitter.lowered.of(index).iter().find_map(|step| match &step.what {
        What::Value(value) => Some(value),
        _ => None,
    });
    match value {
        Some(Value::Bytes(bytes)) if matches!(field.kind, Kind::Bytes { owned: false }) => {
            let free = bytes.stop.is_none() && bytes.cut.is_none();
            quote!(#free)
        }
        Some(Value::Nested(_) | Value::ByteArray | Value::Map(..))
            if matches!(field.kind, Kind::Nested | Kind::Array(_)) =>
        {
            quote!(<#stored as #rt::Wire<'_>>::SHALLOW)
        }
        _ => quote!(false),
    }
}

/// How far behind the start of the value the walk is: told by the section where that is constant,
/// for there it costs no position.
pub(super) fn distance(emitter: &Emitter<'_>, index: usize) -> TokenStream {
    let computed = quote!(__cur.pos().wrapping_sub(__start));
    let section = emitter.lowered.place(index).and_then(|place| place.space.section());
    let Some(index) = section else { return computed };
    quote! {
        match const { Self::__WIRE.field(#index).offset } {
            __rt::Some(__lead) => {
                let (__begin, __end) = __spans.get(#index);
                __lead.wrapping_add(__end.wrapping_sub(__begin)).wrapping_sub(__cur.remaining())
            }
            __rt::None => #computed,
        }
    }
}

/// How far behind its base a section begins: a constant where all before it has a fixed size.
fn lead(emitter: &Emitter<'_>, base: Base, section: usize, computed: &TokenStream) -> TokenStream {
    let own = match base {
        Base::Start => true,
        Base::Origin => emitter.model.words.origin.is_some(),
        Base::File | Base::Field(_) => false,
    };
    if !own {
        return computed.clone();
    }
    quote!(const { Self::__WIRE.field(#section).offset }.unwrap_or(#computed))
}
