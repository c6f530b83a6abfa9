//! One field: its condition, padding, value, and what an observer is told. A match over its steps.

use proc_macro2::TokenStream;
use quote::quote;

use super::floating::floating_region;
use super::located::{distance, located};
use super::measures::{measure_of, nowhere};
use super::presence::holds;
use super::rendered::leave;
use super::value::{by_one_call, len_in_front, read_value};
use super::{behind, item_numbers, kept, parallel};
use crate::emit::magic::magic_at;
use crate::emit::{Emitter, Site, checksum, limits, local, overrides, prefix, terminator};
use crate::model::{Field, Kind};
use crate::steps::{Presence, Region, Step, What};

/// One field, with all that belongs to it.
pub(super) fn field(
    emitter: &Emitter<'_>,
    index: usize,
    field: &Field<'_>,
    steps: &[Step<'_>],
) -> TokenStream {
    let done = steps.iter().position(|step| matches!(step.what, What::Done)).unwrap_or_default();
    let (own, rules) = steps.split_at(done);
    let (remaining, own) = match own {
        [Step { what: What::Measure(measure), .. }, own @ ..] => {
            (Some(measure_of(emitter, field, *measure, false)), own)
        }
        _ => (None, own),
    };
    let name = local(&field.name);
    let reading = value(emitter, index, field, own);
    let (flat, value) = if reading.is_flat {
        (reading.steps.clone(), reading.value())
    } else {
        (TokenStream::new(), reading.block())
    };
    let rules = self::rules(emitter, index, field, rules);
    let (keep, drop) = kept::around(emitter, field);
    quote! {
        #remaining
        #keep
        #flat
        let #name = #value;
        #drop
        #rules
    }
}

/// What reads a value: some steps, and then the value.
pub(super) struct Reading {
    pub(super) steps: TokenStream,
    value: TokenStream,
    /// Whether that is a call, which may fail.
    is_call: bool,
    /// Whether the steps may stand among those of the type: they change no local that these use.
    is_flat: bool,
}

impl Reading {
    /// A value without steps.
    fn of(value: TokenStream) -> Self {
        Self { steps: TokenStream::new(), value, is_call: false, is_flat: true }
    }

    /// A call that gives the value, or fails.
    pub(super) fn by_call(steps: TokenStream, call: TokenStream) -> Self {
        Self { steps, value: call, is_call: true, is_flat: true }
    }

    /// The value.
    fn value(&self) -> TokenStream {
        let question = self.is_call.then(|| quote!(?));
        let value = &self.value;
        quote!(#value #question)
    }

    /// The value as a `Result`.
    pub(super) fn result(&self) -> TokenStream {
        let value = &self.value;
        if self.is_call { value.clone() } else { quote!(__rt::Ok(#value)) }
    }

    /// Both as one expression.
    fn block(&self) -> TokenStream {
        let (steps, value) = (&self.steps, self.value());
        if steps.is_empty() { value } else { quote!({ #steps #value }) }
    }
}

/// What the declaration says of the value of a field.
pub(in crate::emit) fn rules(
    emitter: &Emitter<'_>,
    index: usize,
    field: &Field<'_>,
    steps: &[Step<'_>],
) -> TokenStream {
    let rules = steps.iter().filter_map(|step| match &step.what {
        What::Rule(code, rule) => Some((code, *rule)),
        _ => None,
    });
    let mut all = emitter.read_rules(Some((index, field)), &rules.collect::<Vec<_>>());
    let items = steps.iter().filter_map(|step| match &step.what {
        What::Items(rule) => Some(rule),
        _ => None,
    });
    all.extend(limits::read(emitter, index, field, &items.collect::<Vec<_>>()));
    all
}

/// The value of a field, from the table that has an item for it to the padding behind it.
pub(super) fn value(
    emitter: &Emitter<'_>,
    index: usize,
    field: &Field<'_>,
    steps: &[Step<'_>],
) -> Reading {
    match steps {
        [Step { what: What::Parallel(parallel), .. }, steps @ ..] => {
            let read = || parallel::sequence(emitter, index, field.one(), *parallel, steps);
            Reading::of(emitter.with_entry(field, read))
        }
        [Step { what: What::If(presence), .. }, steps @ ..] => {
            let present = value(emitter, index, field, steps);
            Reading::of(conditional(emitter, index, field, *presence, &present))
        }
        [Step { what: What::Place(place), .. }, steps @ ..] => {
            let present = reading(emitter, index, field, steps, true);
            located(emitter, index, field, *place, &present)
        }
        steps => reading(emitter, index, field, steps, false),
    }
}

/// Wraps the reading of a field into its condition.
fn conditional(
    emitter: &Emitter<'_>,
    index: usize,
    field: &Field<'_>,
    presence: Presence<'_>,
    present: &Reading,
) -> TokenStream {
    let (steps, value) = (&present.steps, present.value());
    let condition = holds(emitter, field, presence, Site::Walk);
    let nowhere = nowhere(emitter, field);
    quote! {
        if #condition {
            #steps
            __rt::Some(#value)
        } else {
            #nowhere
            __spans.absent(__cur, __obs, #index)
        }
    }
}

/// Reads a field that is there; the block's value is that of the field.
pub(super) fn present(
    emitter: &Emitter<'_>,
    index: usize,
    field: &Field<'_>,
    steps: &[Step<'_>],
    located: bool,
) -> TokenStream {
    reading(emitter, index, field, steps, located).block()
}

fn reading(
    emitter: &Emitter<'_>,
    index: usize,
    field: &Field<'_>,
    steps: &[Step<'_>],
    located: bool,
) -> Reading {
    if let [
        Step { what: What::Enter, .. },
        Step { what: What::Value(one), .. },
        Step { what: What::Leave, .. },
    ] = steps
        && checksum::around_decoded(emitter, index, &quote!(__obs)).is_none()
        && let Some(reading) = by_one_call(emitter, index, field, one)
    {
        return reading;
    }
    let at = |what: fn(&What<'_>) -> bool| {
        steps.iter().position(|step| what(&step.what)).unwrap_or(steps.len())
    };
    let enter = at(|what| matches!(what, What::Enter));
    let behind = at(|what| matches!(what, What::Leave)).saturating_add(1).min(steps.len());
    let (inside, behind) = steps.split_at(behind);
    let (before, inside) = inside.split_at(enter);
    let before = before_it(emitter, index, field, before);
    let behind = behind_it(emitter, index, field, behind, located);
    let prefixed = inside.iter().any(|step| matches!(step.what, What::Prefix(_)));
    let inside = inside.iter().map(|step| of_field(emitter, index, field, &step.what, prefixed));
    let steps = quote!(#before #(#inside)* #behind);
    Reading { steps, is_flat: false, ..Reading::of(quote!(__value)) }
}

/// The padding and the magic in front of a field, and what is left behind them.
fn before_it(
    emitter: &Emitter<'_>,
    index: usize,
    field: &Field<'_>,
    steps: &[Step<'_>],
) -> TokenStream {
    let rt = &emitter.rt;
    let padding = padding(emitter, index, field, steps);
    let magic = steps.iter().find_map(|step| match step.what {
        What::Magic(magic) => Some(magic_at(emitter, Some(field), magic)),
        _ => None,
    });
    let magic = magic.map(|bytes| quote!(#rt::walk::magic(__cur, __obs, #bytes)?;));
    let magic = parallel::about_item(field, &quote!(#magic));
    let left = steps.iter().filter_map(|step| match step.what {
        What::Measure(measure) => Some(measure_of(emitter, field, measure, false)),
        _ => None,
    });
    quote!(#padding #magic #(#left)*)
}

/// What is left of the region of a field, and the padding behind it.
fn behind_it(
    emitter: &Emitter<'_>,
    index: usize,
    field: &Field<'_>,
    steps: &[Step<'_>],
    located: bool,
) -> TokenStream {
    let rt = &emitter.rt;
    let rest = steps.iter().find_map(|step| match step.what {
        What::Rest(region) => Some((region, region.fill)),
        _ => None,
    });
    let rest = rest.map(|(region, fill)| {
        let floating = floating_region(emitter, index, region);
        // What the value has is seen before the rest is taken.
        let left = quote!(#floating #rt::walk::padding_left(__cur, __obs, #fill););
        overrides::about(emitter, field, left)
    });
    let padding = match behind::of_each(emitter, index, field) {
        Some(_) => TokenStream::new(),
        None => padding(emitter, index, field, steps),
    };
    // What lies at an offset and has no bytes takes no place, and has nothing behind it.
    let padding = if located && !padding.is_empty() {
        quote!(if __cur.pos() != __lies { #padding })
    } else {
        padding
    };
    let rest = parallel::about_item(field, &quote!(#rest));
    quote!(#rest #padding)
}

/// The padding among some steps.
fn padding(
    emitter: &Emitter<'_>,
    index: usize,
    field: &Field<'_>,
    steps: &[Step<'_>],
) -> TokenStream {
    let rt = &emitter.rt;
    let pads = steps.iter().filter_map(|step| {
        let (word, expr, fill) = match &step.what {
            What::Pad { word, size, fill } => (word, size, fill),
            What::Align { word, to, fill } => (word, to, fill),
            _ => return None,
        };
        let (call, claim) = (emitter.size(word, expr, Site::Walk), emitter.claim(expr, index));
        let given = if emitter.is_own_claim(expr, index) {
            quote!(__rt::None)
        } else {
            quote!(__rt::Some(&#claim))
        };
        Some(match &step.what {
            What::Align { .. } if field.is_element => {
                let distance = distance(emitter, index, field);
                quote! {
                    #rt::parallel::align(
                        __cur, __obs, &__entry.item, (#word, #call, #distance), #given, #fill,
                    )?;
                }
            }
            _ if field.is_element => quote! {
                #rt::parallel::fill(__cur, __obs, &__entry.item, (#word, #call), #given, #fill)?;
            },
            What::Align { .. } => {
                let distance = distance(emitter, index, field);
                quote! {
                    #rt::walk::align(__cur, __obs, (#word, #call, #distance), #claim, #fill)?;
                }
            }
            _ => quote!(#rt::walk::fill(__cur, __obs, (#word, #call), #claim, #fill)?;),
        })
    });
    overrides::about(emitter, field, pads.collect())
}

/// A step of the field itself.
fn of_field(
    emitter: &Emitter<'_>,
    index: usize,
    field: &Field<'_>,
    what: &What<'_>,
    prefixed: bool,
) -> TokenStream {
    let rt = &emitter.rt;
    let transparent = emitter.model.is_transparent();
    match what {
        What::Enter => {
            if !transparent && !field.is_element {
                return quote!(let __at = __spans.enter(__cur, __obs, #index););
            }
            let enter =
                (!transparent).then(|| parallel::enter(emitter, index, field, &quote!(__at)));
            quote!(let __at = __cur.pos(); #enter)
        }
        // A padded field is a region: one check for the value and its padding.
        What::Region(Region { size, .. }) => {
            let (call, claim) =
                (emitter.size("pad_to", size, Site::Walk), emitter.claim(size, index));
            quote! {
                let __size = #call;
                let mut __region = #rt::walk::padded(__cur, __obs, __size, #claim)?;
                let __cur = &mut __region;
            }
        }
        What::Prefix(ty) => prefix::read(emitter, index, field, ty),
        What::Value(value) => {
            let front = len_in_front(emitter, index, field, value);
            let value = read_value(emitter, index, field, value);
            let len = item_numbers::len_of_value(emitter, field, prefixed);
            let value = around_decoded(emitter, index, field, &quote!(let __value = #value;));
            quote!(#front #value #len)
        }
        What::Measure(measure) => measure_of(emitter, field, *measure, prefixed),
        What::Terminator => {
            let bytes = terminator::bytes(emitter, field);
            if field.kind.is_bytes() {
                quote!(#rt::terminator::take(__cur, #bytes);)
            } else {
                quote!(#rt::terminator::behind_items(__cur, __obs, #bytes);)
            }
        }
        What::Nul { wide: true } => quote!(#rt::strings::wide_nul(__cur, __obs)?;),
        What::Nul { wide: false } => quote!(#rt::walk::nul(__cur, __obs)?;),
        What::Leave => leave_field(emitter, index, field),
        _ => TokenStream::new(),
    }
}

/// Reads a value of which decoded bytes are summed, in front of what sums them.
fn around_decoded(
    emitter: &Emitter<'_>,
    index: usize,
    field: &Field<'_>,
    value: &TokenStream,
) -> TokenStream {
    match checksum::around_decoded(emitter, index, &quote!(__obs)) {
        Some((before, behind)) if !field.is_element => {
            quote!(if __O::RECORD { #before } #value if __O::RECORD { #behind })
        }
        _ => value.clone(),
    }
}

/// Ends a field, and looks at what its item of a table keeps.
fn leave_field(emitter: &Emitter<'_>, index: usize, field: &Field<'_>) -> TokenStream {
    // What is located, with its padding, is noted where that ends.
    let note = (!field.is_element).then(|| quote!(__spans.set(#index, __at, __cur.pos());));
    let borrowed = matches!(field.kind, Kind::Bytes { owned: false });
    let section = field.words.section.is_some() && borrowed;
    let rt = &emitter.rt;
    let borrowed = section.then(|| quote!(#rt::place::borrowed(__obs, (__at, __cur.pos()))?;));
    // Of what follows in the sequence no value lies there.
    let close = field.is_open().then(|| quote!(#rt::place::close_section(__obs);));
    let note = quote!(#note #borrowed #close);
    let leave = (!emitter.model.is_transparent()).then(|| leave(&emitter.rt, field));
    let own = parallel::keeps_own(field).then(|| quote!(__own = (__at, __cur.pos());));
    let sum = field.is_element.then(|| item_numbers::sum(emitter, index));
    let sets = field.is_element.then(|| item_numbers::sets(emitter, index));
    quote!(#note #own #sum #sets #leave)
}
