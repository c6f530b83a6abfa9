//! The writer: bind the fields, compute what is derived, check, then emit strictly forward.

mod derived;
mod each;
mod field;
mod patch;
mod presence;
mod rooms;
mod set;
mod variable;

use proc_macro2::TokenStream;
use quote::quote;

pub(crate) use self::derived::users;
use self::derived::{count_of, if_present, len_of, source_value, steps, stored_rooms};
use self::field::piece;
pub(super) use self::patch::keep_place;
pub(crate) use self::rooms::sharers;
use self::rooms::{all_rooms, room, rooms, slot_offset};
use super::expr::{Wanted, measured};
use super::magic::{self, told_order, type_magic};
use super::walk::condition;
use super::{Emitter, Site, checksum, limits, local, plain, text, unraw};
use crate::derived::{Of, Source};
use crate::expr::Measure;
use crate::model::{Field, Kind};
use crate::steps::all_measures;

/// Where the counting pass marks the end of a value with `len`.
const END_MARK: usize = 7;

/// The body of `emit` for a struct.
pub(crate) fn emit(emitter: &Emitter<'_>) -> TokenStream {
    let model = emitter.model;
    let bindings = model.fields().iter().map(binding);
    let bindings: TokenStream = bindings.collect();
    let (origin, origin_again) = match &model.words.origin {
        Some(_) => (quote!(__out.origin = __start;), quote!(__out.origin = __origin;)),
        None => (quote!(), quote!()),
    };
    let sizes = variable::sizes(emitter);
    let measures = measures(emitter);
    let sections = sections(emitter);
    let rooms = rooms(emitter);
    let stored_rooms = stored_rooms(emitter);
    let rows = each::rows(emitter);
    let bases = rooms::bases(emitter);
    let settle = each::settle(emitter);
    let set = set::set(emitter);
    let (early_steps, steps) = steps(emitter);
    let checksums = checksum::compute(emitter);
    let checks = checks(emitter);
    let magic = type_magic(emitter).map(|bytes| quote!(__out.put(&#bytes)?;));
    let (set_order, take_back) = magic::around(emitter, &quote!(__out));
    let order = told_order(emitter, Site::Write);
    // A computed field may tell the order, once it is computed.
    let order_again = order.as_ref().filter(|_| !model.inherits());
    let flags = presence::set_flags(emitter);
    let keeper = presence::keeper(emitter);
    let sequence = sequence(emitter);
    let (covered, uncovered) = checksum::around_all(emitter);
    let end = end(emitter, &uncovered);
    // Who marks places or covers bytes says which value they belong to.
    let (begin, finish) = if sections.is_some() || !checksums.is_empty() {
        (quote!(__out.begin()), quote!(__out.finish();))
    } else {
        (quote!(__out.pos()), quote!())
    };
    quote! {
        let __start = #begin;
        let __origin = __out.origin;
        #origin
        #bindings
        #rows
        #flags
        #set_order
        #order
        #sections
        #bases
        #sizes
        #measures
        #stored_rooms
        #early_steps
        #rooms
        #steps
        #set
        #settle
        #order_again
        #checksums
        #checks
        #keeper
        #covered
        #magic
        #sequence
        #end
        #take_back
        #origin_again
        #finish
        ::core::result::Result::Ok(())
    }
}

/// A field as the rest of the body sees it: scalars by value, all else by reference.
pub(super) fn binding(field: &Field<'_>) -> TokenStream {
    let (name, member) = (local(&field.name), &field.member);
    match field.kind {
        Kind::Auto(..) => quote!(),
        Kind::Scalar(_) if !field.is_optional() => quote!(let #name = self.#member;),
        _ => quote!(let #name = &self.#member;),
    }
}

/// The mark of a place of a field that an expression asks for; marks follow those of the rooms.
fn mark_of(emitter: &Emitter<'_>, measure: Measure, field: &Field<'_>) -> Option<usize> {
    let measures = all_measures(emitter.model);
    let mut places = measures.iter().filter(|(measure, _)| measure.is_place());
    let index = places.position(|(other, place)| *other == measure && place.name == field.name)?;
    Some(all_rooms(emitter).len() + index)
}

/// Remembers a place of a field if an expression asks for it.
fn mark(emitter: &Emitter<'_>, measure: Measure, field: &Field<'_>) -> Option<TokenStream> {
    mark_of(emitter, measure, field).map(|mark| quote!(__out.mark(#mark);))
}

/// A counting pass over the value itself, where places must be known before they are reached.
fn sections(emitter: &Emitter<'_>) -> Option<TokenStream> {
    let places = all_measures(emitter.model).iter().any(|(measure, _)| measure.is_place());
    let needed = emitter.model.words.len.is_some() || !all_rooms(emitter).is_empty() || places;
    let starts = declared_places(emitter).filter(|_| emitter.model.words.len.is_none());
    needed.then(|| {
        let rt = &emitter.rt;
        let waits = patch::whole_waits(emitter).then(|| quote!(|| __out.patches()));
        let known = starts.map(|starts| {
            quote! {
                else if let ::core::option::Option::Some(__known) =
                    #rt::place::known(__start, &[#(#starts),*])
                {
                    __known
                }
            }
        });
        quote! {
            let __sections = if __out.counts() #waits {
                [0; 8]
            } #known else {
                let __here = ::core::mem::replace(&mut __out.origin, __origin);
                let __sections = __out.sections(|__out| #rt::Wire::emit(self, __out, __args));
                __out.origin = __here;
                __sections?
            };
        }
    })
}

/// The places that are marked, where all of them lie behind fields of fixed sizes.
fn declared_places(emitter: &Emitter<'_>) -> Option<Vec<TokenStream>> {
    let rooms = all_rooms(emitter);
    let rooms = rooms.iter().map(|(section, _)| {
        let index = section.as_ref()?;
        Some(quote!(Self::WIRE.field(#index).offset))
    });
    let measures = all_measures(emitter.model);
    let places =
        measures.iter().filter(|(measure, _)| measure.is_place()).map(|(measure, field)| {
            let pads = field.words.pad_before.is_some() || field.words.align_before.is_some();
            if *measure != Measure::Start || pads {
                return None;
            }
            let (index, _) = emitter.model.field(&field.name)?;
            let offset = quote!(Self::WIRE.field(#index).offset);
            // What is absent has no place, which the counting pass finds.
            let name = local(&field.name);
            Some(if field.is_optional() {
                quote!(if #name.is_some() { #offset } else { ::core::option::Option::None })
            } else {
                offset
            })
        });
    rooms.chain(places).collect()
}

fn measures(emitter: &Emitter<'_>) -> TokenStream {
    let rt = &emitter.rt;
    let mut all = TokenStream::new();
    for (measure, field) in all_measures(emitter.model) {
        let name = measured(measure, &field.name);
        let value = match measure {
            Measure::Len if variable::is_late(emitter, field) => continue,
            Measure::Len => len_of(emitter, field),
            Measure::Count => count_of(emitter, field),
            Measure::Tag => if_present(field, &quote!(#rt::Tagged::tag(__value))),
            Measure::Start | Measure::End => {
                let mark = mark_of(emitter, measure, field).unwrap_or_default();
                quote!(__sections[#mark].saturating_sub(__out.origin))
            }
            Measure::Remaining => {
                let mark = mark_of(emitter, measure, field).unwrap_or_default();
                quote!(__sections[#END_MARK].saturating_sub(__sections[#mark]))
            }
        };
        all.extend(quote!(let #name: u64 = #value;));
    }
    all
}

/// Rules, conditions and sizes that must agree before anything is written.
fn checks(emitter: &Emitter<'_>) -> TokenStream {
    let mut all = TokenStream::new();
    let model = emitter.model;
    let emitter_steps = emitter.steps;
    let solved = |of: Of| {
        emitter_steps
            .iter()
            .any(|step| matches!(&step.source, Source::Solved(solved) if solved.of == of))
    };
    for (index, field) in model.fields().iter().enumerate() {
        let (name, shown) = (local(&field.name), text(&unraw(&field.name)));
        let rt = emitter.rt.clone();
        if field.words.condition.is_some() {
            let condition = condition(emitter, field, Site::Write);
            let exact = field.words.null.is_none();
            all.extend(quote! {
                if !__out.counts() { #rt::write::presence(__out, #shown, #condition, #name.is_some(), #exact)?; }
            });
        }
        let sizes = [
            (&field.words.len, "len", Of::Len(index)),
            (&field.words.count, "count", Of::Count(index)),
        ];
        for (expr, word, of) in sizes {
            let Some(expr) = expr else { continue };
            // What was solved for a field agrees with it.
            if solved(of) {
                continue;
            }
            let function = emitter.function(word, &expr.value, Wanted::Size);
            let call = emitter.call(&function, Site::Write);
            let measured = match of {
                _ if field.words.section.is_some() => source_value(emitter, field, of).0,
                Of::Len(_) => len_of(emitter, field),
                _ => count_of(emitter, field),
            };
            let present = if field.is_optional() { quote!(#name.is_some()) } else { quote!(true) };
            all.extend(quote! {
                if !__out.counts() && #present {
                    let __measured: u64 = #measured;
                    #rt::write::agree(__out, #shown, #word, #call, __measured)?;
                }
            });
        }
        if let Some(at) = field.words.at.as_ref().filter(|_| !solved(Of::Offset(index))) {
            let function = emitter.function("at", &at.value, Wanted::Size);
            let call = emitter.call(&function, Site::Write);
            let slot = slot_offset(emitter, index, field);
            let present = if field.is_optional() { quote!(#name.is_some()) } else { quote!(true) };
            all.extend(quote! {
                if !__out.counts() && #present {
                    #rt::write::agree(__out, #shown, "at", #call, #slot)?;
                }
            });
        }
        if let Some(null) = &field.words.null {
            let (null, slot) = (&null.value, slot_offset(emitter, index, field));
            all.extend(quote! {
                if !__out.counts() && #name.is_some() {
                    #rt::write::not_null(__out, #shown, #slot, #null)?;
                }
            });
        }
        all.extend(emitter.write_rules(Some(field), &field.words.rules));
        all.extend(limits::write(emitter, field));
    }
    all.extend(emitter.write_rules(None, &model.words.rules));
    all
}

/// Writes the fields that follow one another, and located fields where their rooms are.
fn sequence(emitter: &Emitter<'_>) -> TokenStream {
    let mut all = TokenStream::new();
    let mut run = plain::Run::default();
    let fields = emitter.model.fields();
    for (index, field) in fields.iter().enumerate().filter(|(_, field)| !field.is_located()) {
        if run.take(emitter, field) {
            continue;
        }
        all.extend(run.write());
        all.extend(mark(emitter, Measure::Remaining, field));
        let (begin, end) = checksum::around(emitter, field);
        if field.words.section.is_some() {
            let (start, stop) =
                (mark(emitter, Measure::Start, field), mark(emitter, Measure::End, field));
            let base = rooms::note_base(emitter, field);
            let room = room(emitter, Some(index));
            all.extend(quote!(#start #base #begin #room #stop #end));
            continue;
        }
        let name = local(&field.name);
        let piece = piece(emitter, field);
        all.extend(if field.is_optional() {
            let absent =
                (!begin.is_empty() || !end.is_empty()).then(|| quote!(else { #begin #end }));
            quote!(if let ::core::option::Option::Some(__value) = #name { #piece } #absent)
        } else {
            quote!({ let __value = #name; #piece })
        });
    }
    all.extend(run.write());
    if all_rooms(emitter).iter().any(|(section, _)| section.is_none()) {
        all.extend(room(emitter, None));
    }
    all
}

/// The end of the value: the counted length must be the written one.
fn end(emitter: &Emitter<'_>, uncovered: &TokenStream) -> TokenStream {
    let rt = emitter.rt.clone();
    let measures = all_measures(emitter.model);
    let asked = measures.iter().any(|(measure, _)| *measure == Measure::Remaining);
    let end = (asked || emitter.model.words.len.is_some()).then(|| quote!(__out.mark(#END_MARK);));
    let waits = patch::whole_waits(emitter).then(|| quote!(&&!__out.patches()));
    let patched = patch::whole(emitter);
    let len = emitter.model.words.len.as_ref().map(|_| {
        quote! {
            #patched
            if !__out.counts() #waits { #rt::write::settled(__out, __sections[#END_MARK])?; }
        }
    });
    let align = emitter.model.words.align_after.as_ref().map(|align| {
        let function = emitter.function("align_after", &align.value, Wanted::Size);
        let call = emitter.call(&function, Site::Write);
        quote! {
            let __size = #rt::write::size(__out, "align_after", #call)?;
            __out.align(__start, __size, 0)?;
        }
    });
    quote! { #end #len #uncovered #align }
}
