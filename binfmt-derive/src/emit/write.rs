//! The writer: bind the fields, compute what is derived, check, then emit strictly forward.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::expr::{Wanted, measured};
use super::walk::{all_measures, condition, placed_in};
use super::{Emitter, Site, local, magic_array, text, unraw};
use crate::derived::{Of, Solved, Source};
use crate::expr::{Expr, Measure};
use crate::model::{Field, Kind};

/// Where the counting pass marks the end of a value with `len`.
const END_MARK: usize = 7;

/// The body of `emit` for a struct.
pub(crate) fn emit(emitter: &mut Emitter<'_>) -> TokenStream {
    let model = emitter.model;
    let bindings = model.fields().iter().map(binding);
    let bindings: TokenStream = bindings.collect();
    let origin = model.words.origin.as_ref().map(|_| quote!(__out.origin = __start;));
    let measures = measures(emitter);
    let sections = sections(emitter);
    let rooms = rooms(emitter);
    let steps = steps(emitter);
    let checks = checks(emitter);
    let magic = model.words.magic.as_ref().map(|magic| {
        let bytes = magic_array(model, &magic.value);
        quote!(__out.put(&#bytes)?;)
    });
    let sequence = sequence(emitter);
    let end = end(emitter);
    quote! {
        let __start = __out.begin();
        let __origin = __out.origin;
        #origin
        #bindings
        #sections
        #measures
        #rooms
        #steps
        #checks
        #magic
        #sequence
        #end
        __out.origin = __origin;
        __out.finish();
        ::core::result::Result::Ok(())
    }
}

/// A field as the rest of the body sees it: scalars by value, all else by reference.
fn binding(field: &Field<'_>) -> TokenStream {
    let (name, member) = (local(&field.name), &field.member);
    match field.kind {
        Kind::Auto(..) => quote!(),
        Kind::Scalar(_) if !field.is_optional() => quote!(let #name = self.#member;),
        _ => quote!(let #name = &self.#member;),
    }
}

/// The rooms of located fields: one per section, and one behind the sequence.
fn all_rooms(emitter: &Emitter<'_>) -> Vec<(Option<usize>, Vec<usize>)> {
    let model = emitter.model;
    let sections =
        model.fields().iter().enumerate().filter(|(_, field)| field.words.section.is_some());
    let mut rooms: Vec<_> =
        sections.map(|(index, _)| (Some(index), placed_in(model, Some(index)))).collect();
    let unplaced = placed_in(model, None);
    if !unplaced.is_empty() {
        rooms.push((None, unplaced));
    }
    rooms
}

/// The mark of a field whose start an expression asks for; marks follow those of the rooms.
fn start_mark(emitter: &Emitter<'_>, field: &Field<'_>) -> Option<usize> {
    let measures = all_measures(emitter.model);
    let mut starts = measures.iter().filter(|(measure, _)| *measure == Measure::Start);
    let index = starts.position(|(_, other)| other.name == field.name)?;
    Some(all_rooms(emitter).len() + index)
}

/// A counting pass over the value itself, where places must be known before they are reached.
fn sections(emitter: &Emitter<'_>) -> Option<TokenStream> {
    let starts = emitter.model.fields().iter().any(|field| start_mark(emitter, field).is_some());
    let needed = emitter.model.words.len.is_some() || !all_rooms(emitter).is_empty() || starts;
    needed.then(|| {
        let rt = &emitter.rt;
        quote! {
            let __sections = if __B::COUNTS {
                [0; 8]
            } else {
                let __here = ::core::mem::replace(&mut __out.origin, __origin);
                let __sections = __out.sections(|__out| #rt::Wire::emit(self, __out, __args));
                __out.origin = __here;
                __sections?
            };
        }
    })
}

fn measures(emitter: &mut Emitter<'_>) -> TokenStream {
    let mut all = TokenStream::new();
    for (measure, field) in all_measures(emitter.model) {
        let name = measured(measure, &field.name);
        let value = match measure {
            Measure::Len => len_of(emitter, field),
            Measure::Count => count_of(emitter, field),
            Measure::Start => {
                let mark = start_mark(emitter, field).unwrap_or_default();
                quote!(__sections[#mark].saturating_sub(__out.origin))
            }
        };
        all.extend(quote!(let #name: u64 = #value;));
    }
    all
}

/// Calls `with` for the value of a field, or gives 0 if it is absent.
fn if_present(field: &Field<'_>, with: &TokenStream) -> TokenStream {
    let name = local(&field.name);
    if field.is_optional() {
        quote!(match #name { ::core::option::Option::Some(__value) => #with, ::core::option::Option::None => 0 })
    } else {
        quote!({ let __value = #name; #with })
    }
}

/// The encoded length of a field's value, without padding.
fn len_of(emitter: &mut Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let rt = emitter.rt.clone();
    if field.kind.is_bytes() && field.words.with.is_none() {
        return if_present(field, &quote!(#rt::ops::wide(__value.len())));
    }
    let value = value(emitter, field);
    let measured = if_present(
        field,
        &quote!(__out.measure(|__out| { #value ::core::result::Result::Ok(()) })?),
    );
    quote!(if __B::COUNTS { 0 } else { #measured })
}

fn count_of(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let rt = &emitter.rt;
    match field.kind {
        Kind::Seq(_) => if_present(field, &quote!(__value.walk_count())),
        _ => if_present(field, &quote!(#rt::ops::wide(__value.len()))),
    }
}

/// Gives every located field a slot, and, when really writing, its place.
fn rooms(emitter: &mut Emitter<'_>) -> TokenStream {
    let mut all = TokenStream::new();
    let rt = emitter.rt.clone();
    for (room, (_, fields)) in all_rooms(emitter).into_iter().enumerate() {
        let (slots, end) = room_names(room);
        let list: Vec<TokenStream> = fields.iter().map(|index| slot(emitter, *index)).collect();
        let count = list.len();
        let section = all_rooms(emitter).get(room).and_then(|(section, _)| *section);
        let least = section.and_then(|index| emitter.model.fields().get(index)).map(|field| {
            let name = local(&field.name);
            quote!(.max(__sections[#room].saturating_add(#rt::ops::wide(#name.len()))))
        });
        all.extend(quote! {
            let mut #slots: [#rt::place::Slot; #count] = [#(#list),*];
            let #end = if __B::COUNTS {
                0
            } else {
                #rt::place::place(__out, &mut #slots, __sections[#room], __start)? #least
            };
        });
    }
    all
}

fn room_names(room: usize) -> (Ident, Ident) {
    (format_ident!("__slots_{room}"), format_ident!("__end_{room}"))
}

fn slot(emitter: &mut Emitter<'_>, index: usize) -> TokenStream {
    let rt = emitter.rt.clone();
    let Some(field) = emitter.model.fields().get(index) else { return TokenStream::new() };
    let Some(at) = &field.words.at else { return TokenStream::new() };
    let stored = at.value.names().iter().all(|name| {
        emitter.model.field(name).is_none_or(|(_, field)| !matches!(field.kind, Kind::Auto(..)))
    });
    let base = base(field);
    let floor = if stored {
        let function = emitter.function("at", &at.value, Wanted::Size);
        let call = emitter.call(&function, Site::Write);
        quote!(#call.and_then(|__at| __at.checked_add(#base)))
    } else {
        quote!(::core::option::Option::None)
    };
    let align = match &field.words.align_after {
        Some(align) => {
            let function = emitter.function("align_after", &align.value, Wanted::Size);
            let call = emitter.call(&function, Site::Write);
            quote!(#call.unwrap_or(1))
        }
        None => quote!(1),
    };
    let present = if field.is_optional() {
        let name = local(&field.name);
        quote!(#name.is_some())
    } else {
        quote!(true)
    };
    let piece = piece(emitter, field);
    let size = if_present(
        field,
        &quote!(
            __out.measure_from(__floor.unwrap_or(__start), |__out| { #piece ::core::result::Result::Ok(()) })?
        ),
    );
    quote! {{
        let __floor: ::core::option::Option<u64> = #floor;
        #rt::place::Slot::new(#present, __floor, #size, #align)
    }}
}

/// What the offsets of a located field count from.
fn base(field: &Field<'_>) -> TokenStream {
    match &field.words.base {
        None => quote!(__out.origin),
        Some(base) if base.value == "file" => quote!(0),
        Some(_) => quote!(__start),
    }
}

/// Computes every derived field, in an order in which each knows what it needs.
fn steps(emitter: &mut Emitter<'_>) -> TokenStream {
    let mut all = TokenStream::new();
    let steps = emitter.steps;
    for step in steps {
        let Some(field) = emitter.model.fields().get(step.target) else { continue };
        let (name, shown) = (local(&field.name), text(&unraw(&field.name)));
        let ty = match field.kind {
            Kind::Auto(_, ty) => ty,
            _ => field.ty,
        };
        let rt = emitter.rt.clone();
        let value = match &step.source {
            Source::Calc(expr) => {
                let own = expr.names().into_iter().any(|other| *other == field.name);
                let zero = (own && matches!(field.kind, Kind::Auto(..)))
                    .then(|| quote!(let #name: #ty = 0;));
                let function = emitter.function("calc", expr, Wanted::Size);
                let call = emitter.call(&function, Site::Write);
                quote!({ #zero #rt::write::convert::<#ty, __B>(__out, #shown, #call)? })
            }
            Source::Solved(solved) => solved_value(emitter, field, ty, solved),
        };
        all.extend(quote!(let #name: #ty = #value;));
    }
    all
}

fn solved_value(
    emitter: &mut Emitter<'_>,
    target: &Field<'_>,
    ty: &syn::Type,
    solved: &Solved<'_>,
) -> TokenStream {
    let shown = text(&unraw(&target.name));
    let rt = emitter.rt.clone();
    let terms = |list: &[&Expr]| -> Vec<TokenStream> {
        list.iter()
            .map(|expr| {
                let function = emitter.function("term", expr, Wanted::Size);
                emitter.call(&function, Site::Write)
            })
            .collect()
    };
    let (add, sub) = (terms(&solved.add), terms(&solved.sub));
    let mul = solved.mul.map(|mul| terms(&[mul]));
    let mul = mul
        .and_then(|mut list| list.pop())
        .unwrap_or_else(|| quote!(::core::option::Option::Some(1)));
    let (value, always) = source_value(emitter, target, solved.of);
    let solve = quote! {
        {
            let __measured: u64 = #value;
            #rt::write::solve::<#ty, __B>(__out, #shown, __measured, #mul, &[#(#add),*], &[#(#sub),*])?
        }
    };
    if always { solve } else { quote!(if __B::COUNTS { 0 } else #solve) }
}

/// What a field is derived from, and whether the counting pass needs it too.
fn source_value(emitter: &mut Emitter<'_>, target: &Field<'_>, of: Of) -> (TokenStream, bool) {
    let fields = emitter.model.fields();
    match of {
        Of::Whole => (quote!(__sections[#END_MARK].saturating_sub(__start)), false),
        Of::Count(index) => {
            (fields.get(index).map(|field| count_of(emitter, field)).unwrap_or_default(), true)
        }
        Of::Len(index) => match fields.get(index) {
            Some(field) if field.words.section.is_some() => {
                let room = all_rooms(emitter)
                    .iter()
                    .position(|(section, _)| *section == Some(index))
                    .unwrap_or(0);
                let (_, end) = room_names(room);
                (quote!(#end.saturating_sub(__sections[#room])), false)
            }
            Some(field) => (len_of(emitter, field), field.kind.is_bytes()),
            None => (quote!(0), true),
        },
        Of::PadTo(index) => (
            fields.get(index).map(|field| padded(emitter, target, field)).unwrap_or_default(),
            true,
        ),
        Of::Offset(index) => (offset(emitter, index), false),
    }
}

/// The offset of a located field, or of the one that is there of several that share the offset.
fn offset(emitter: &Emitter<'_>, index: usize) -> TokenStream {
    let fields = emitter.model.fields();
    let Some(field) = fields.get(index) else { return quote!(0) };
    let null = field.words.null.as_ref().map(|null| &null.value);
    let mut value = null.map_or_else(|| quote!(0), |null| quote!(#null));
    let sharing = fields.iter().enumerate().filter(|(_, other)| shares_offset(field, other));
    for (other, sharer) in sharing.collect::<Vec<_>>().into_iter().rev() {
        let slot = slot_offset(emitter, other, sharer);
        let name = local(&sharer.name);
        value = if sharer.is_optional() {
            quote!(if #name.is_some() { #slot } else { #value })
        } else {
            slot
        };
    }
    value
}

/// Whether two located fields lie at the same stored offset.
fn shares_offset(field: &Field<'_>, other: &Field<'_>) -> bool {
    match (&field.words.at, &other.words.at) {
        _ if field.name == other.name => true,
        (Some(a), Some(b)) => {
            matches!((&a.value, &b.value), (Expr::Name(a), Expr::Name(b)) if a == b)
        }
        _ => false,
    }
}

/// Where a located field has been placed, counted from its base.
fn slot_offset(emitter: &Emitter<'_>, index: usize, field: &Field<'_>) -> TokenStream {
    let base = base(field);
    let rooms = all_rooms(emitter);
    let place = rooms.iter().enumerate().find_map(|(room, (_, inside))| {
        inside.iter().position(|other| *other == index).map(|slot| (room, slot))
    });
    let (room, slot) = place.unwrap_or((0, 0));
    let (slots, _) = room_names(room);
    quote!(#slots[#slot].offset_from(#base))
}

/// The room that a padded field gets: what it had, or what it needs, rounded up.
fn padded(emitter: &mut Emitter<'_>, target: &Field<'_>, field: &Field<'_>) -> TokenStream {
    let rt = emitter.rt.clone();
    let nul = u64::from(field.words.nul.is_some());
    let len = if field.kind.is_bytes() {
        if_present(field, &quote!(#rt::ops::wide(__value.len()).saturating_add(#nul)))
    } else {
        let value = value(emitter, field);
        if_present(
            field,
            &quote!(__out.measure(|__out| { #value ::core::result::Result::Ok(()) })?),
        )
    };
    let align = field.words.align_after.as_ref().map(|align| {
        let function = emitter.function("align_after", &align.value, Wanted::Size);
        emitter.call(&function, Site::Write)
    });
    let align = align.map_or_else(|| quote!(1), |call| quote!(#call.unwrap_or(1)));
    let stored = if matches!(target.kind, Kind::Auto(..)) {
        quote!(::core::option::Option::None)
    } else {
        let pad_to = field.words.pad_to.as_ref().map(|word| {
            let function = emitter.function("pad_to", &word.value, Wanted::Size);
            emitter.call(&function, Site::Write)
        });
        quote!(#pad_to)
    };
    quote!(#rt::write::padded(#len, #align, #stored))
}

/// Rules, conditions and sizes that must agree before anything is written.
fn checks(emitter: &mut Emitter<'_>) -> TokenStream {
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
                if !__B::COUNTS { #rt::write::presence(__out, #shown, #condition, #name.is_some(), #exact)?; }
            });
        }
        let sizes = [
            (&field.words.len, "len", Of::Len(index)),
            (&field.words.count, "count", Of::Count(index)),
        ];
        for (expr, word, of) in sizes {
            let Some(expr) = expr else { continue };
            // What was solved for a field agrees with it.
            if field.words.section.is_some() || solved(of) {
                continue;
            }
            let function = emitter.function(word, &expr.value, Wanted::Size);
            let call = emitter.call(&function, Site::Write);
            let measured =
                if word == "len" { len_of(emitter, field) } else { count_of(emitter, field) };
            let present = if field.is_optional() { quote!(#name.is_some()) } else { quote!(true) };
            all.extend(quote! {
                if !__B::COUNTS && #present {
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
                if !__B::COUNTS && #present {
                    #rt::write::agree(__out, #shown, "at", #call, #slot)?;
                }
            });
        }
        all.extend(emitter.write_rules(Some(field), &field.words.rules));
    }
    all.extend(emitter.write_rules(None, &model.words.rules));
    all
}

/// Writes the fields that follow one another, and located fields where their rooms are.
fn sequence(emitter: &mut Emitter<'_>) -> TokenStream {
    let mut all = TokenStream::new();
    let fields = emitter.model.fields();
    for (index, field) in fields.iter().enumerate().filter(|(_, field)| !field.is_located()) {
        if field.words.section.is_some() {
            all.extend(room(emitter, Some(index)));
            continue;
        }
        let name = local(&field.name);
        let piece = piece(emitter, field);
        all.extend(if field.is_optional() {
            quote!(if let ::core::option::Option::Some(__value) = #name { #piece })
        } else {
            quote!({ let __value = #name; #piece })
        });
    }
    if all_rooms(emitter).iter().any(|(section, _)| section.is_none()) {
        all.extend(room(emitter, None));
    }
    all
}

/// Writes one room: its located fields in the order of their places, and what lies between them.
fn room(emitter: &mut Emitter<'_>, section: Option<usize>) -> TokenStream {
    let rooms = all_rooms(emitter);
    let Some(room) = rooms.iter().position(|(other, _)| *other == section) else {
        return TokenStream::new();
    };
    let inside = rooms.get(room).map(|(_, inside)| inside.clone()).unwrap_or_default();
    let (slots, end) = room_names(room);
    let rt = emitter.rt.clone();
    let field = section.and_then(|index| emitter.model.fields().get(index));
    let background = field.map_or_else(
        || quote!(&[][..]),
        |field| {
            let name = local(&field.name);
            quote!(&#name[..])
        },
    );
    let fill = field.map_or_else(|| quote!(0), Emitter::fill);
    let pieces = inside.iter().enumerate().filter_map(|(slot, index)| {
        let field = emitter.model.fields().get(*index)?;
        let name = local(&field.name);
        let piece = piece(emitter, field);
        Some(if field.is_optional() {
            quote!(#slot => if let ::core::option::Option::Some(__value) = #name { #piece })
        } else {
            quote!(#slot => { let __value = #name; #piece })
        })
    });
    let pieces: Vec<TokenStream> = pieces.collect();
    quote! {
        __out.mark(#room);
        if __B::COUNTS {
            #rt::place::count(__out, &mut #slots, #background, __start)?;
        } else {
            let __room = __out.pos();
            while let ::core::option::Option::Some((__slot, __at)) = #rt::place::next(&mut #slots) {
                #rt::place::background(__out, #background, __room, __at, #fill)?;
                match __slot { #(#pieces)* _ => {} }
            }
            #rt::place::background(__out, #background, __room, #end, #fill)?;
        }
    }
}

/// Writes `__value` as a field, with its padding.
fn piece(emitter: &mut Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let fill = Emitter::fill(field);
    let name = text(&unraw(&field.name));
    let words = &field.words;
    let rt = emitter.rt.clone();
    let pad = |word: &'static str, expr: &Option<crate::attr::Word<Expr>>| {
        let expr = expr.as_ref()?;
        let function = emitter.function(word, &expr.value, Wanted::Size);
        let call = emitter.call(&function, Site::Write);
        let size = quote!(#rt::write::size(__out, #word, #call)?);
        Some(match word {
            "pad_to" => quote!({ let __size = #size; __out.pad_to(__at, __size, #fill)?; }),
            "pad_before" | "pad_after" => {
                quote!({ let __size = #size; __out.fill(#fill, __size)?; })
            }
            _ => quote!({ let __size = #size; __out.align(__start, __size, #fill)?; }),
        })
    };
    let before = [pad("pad_before", &words.pad_before), pad("align_before", &words.align_before)];
    let align_after =
        if words.pad_to.is_some() { None } else { pad("align_after", &words.align_after) };
    let after = [pad("pad_after", &words.pad_after), align_after, pad("pad_to", &words.pad_to)];
    let (before, after) = (before.into_iter().flatten(), after.into_iter().flatten());
    let value = value(emitter, field);
    let nul = words.nul.as_ref().map(|_| quote!(__out.put(&[0])?;));
    let mark = start_mark(emitter, field).map(|mark| quote!(__out.mark(#mark);));
    quote! {
        #(#before)*
        let __at = __out.pos();
        #mark
        __out.enter(#name);
        #value
        #nul
        #(#after)*
        __out.leave();
    }
}

/// Writes `__value`, without its surroundings.
fn value(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let rt = &emitter.rt;
    if let Some(with) = &field.words.with {
        let path = &with.value;
        // A plain scalar is bound by value, all else by reference.
        let by_value = matches!(field.kind, Kind::Scalar(_)) && !field.is_optional();
        let value = if by_value { quote!(&__value) } else { quote!(__value) };
        return quote!(#path::write(#value, __out)?;);
    }
    let order = emitter.order(field);
    let args = emitter.field_args(field, Site::Write);
    // An optional scalar is bound by reference, a plain one by value.
    let scalar = if field.is_optional() { quote!(*__value) } else { quote!(__value) };
    match field.kind {
        Kind::Scalar(scalar_kind) if scalar_kind.numeric == crate::model::Numeric::Bool => {
            quote!(#rt::Wire::emit(&#scalar, __out, #order)?;)
        }
        Kind::Scalar(_) | Kind::Auto(..) => quote!(#rt::Int::put(#scalar, __out, #order)?;),
        Kind::Bytes { .. } => quote!(__out.put(__value)?;),
        Kind::Text { .. } => quote!(__out.put(__value.as_bytes())?;),
        Kind::Seq(_) => quote!(let __passed = #args; __value.emit(__out, __passed)?;),
        Kind::Vec(_) => quote!(let __passed = #args; #rt::vec::emit(__value, __out, __passed)?;),
        Kind::Array(_) | Kind::Nested => {
            quote!(let __passed = #args; #rt::Wire::emit(__value, __out, __passed)?;)
        }
    }
}

/// The end of the value: the counted length must be the written one.
fn end(emitter: &mut Emitter<'_>) -> TokenStream {
    let rt = emitter.rt.clone();
    let len = emitter.model.words.len.as_ref().map(|_| {
        quote! {
            __out.mark(#END_MARK);
            if !__B::COUNTS { #rt::write::settled(__out, __sections[#END_MARK])?; }
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
    quote! { #len #align }
}
