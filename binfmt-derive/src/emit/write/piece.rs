//! One field, with its padding.

use proc_macro2::TokenStream;
use quote::quote;
use syn::LitStr;

use super::numbers::compute;
use super::padded::{padded_by, padded_to, told_sizes};
use super::plan::{Plan, is_codec, mark};
use super::shared::is_compared_as_written;
use super::value::{is_sized, prefixed, value};
use crate::derived::{Part, shape_exprs};
use crate::emit::expr::measured;
use crate::emit::magic::magic_at;
use crate::emit::{Emitter, Site, terminator, text};
use crate::expr::{Expr, Measure};
use crate::model::{Field, Kind, Space, is_byte, scalar};
use crate::steps::{Region, What, all_measures};

/// What writes `__value` as a field.
pub(super) struct Piece {
    /// What stands in front of the value.
    before: TokenStream,
    value: TokenStream,
    /// The padding behind the value.
    behind: TokenStream,
    name: LitStr,
    /// Whether no error needs the name.
    is_nameless: bool,
}

impl Piece {
    /// The value with what stands in front of it, and what is behind it, between which others come.
    pub(super) fn parts(&self) -> (TokenStream, TokenStream) {
        let Self { before, value, behind, name, is_nameless } = self;
        let named = |what: &TokenStream| quote!(__out.enter(#name); #what __out.leave(););
        let value = if *is_nameless { value.clone() } else { named(value) };
        let behind = if behind.is_empty() { TokenStream::new() } else { named(behind) };
        (quote!(#before #value), behind)
    }

    /// All of it.
    pub(super) fn whole(&self) -> TokenStream {
        let Self { before, value, behind, name, is_nameless } = self;
        if *is_nameless {
            return quote!(#before #value);
        }
        quote!(#before __out.enter(#name); #value #behind __out.leave();)
    }
}

/// What stands around a value.
#[derive(Default)]
struct Around {
    before: TokenStream,
    /// The magic, and the beginning of a region.
    magic: TokenStream,
    behind: TokenStream,
    /// Whether the value lies in a region of its own.
    region: bool,
}

/// What stands around a value: a match over the steps of its field.
fn around(plan: &Plan<'_, '_>, index: usize, field: &Field<'_>) -> Around {
    let emitter = plan.emitter;
    let mut around = Around::default();
    let mut is_behind = false;
    for step in emitter.lowered.of(index) {
        let pad = match &step.what {
            What::Leave => {
                is_behind = true;
                continue;
            }
            What::Magic(magic) => {
                let bytes = magic_at(emitter, Some(field), magic);
                around.magic.extend(quote!(__out.put(&#bytes)?;));
                continue;
            }
            What::Measure(Measure::Remaining) if field.asks_behind_padding() => {
                let rest = mark(field, "rest");
                around.magic.extend(quote!(#rest = __out.pos();));
                continue;
            }
            What::Region(_) => {
                around.magic.extend(begin(field));
                around.region = true;
                continue;
            }
            What::Pad { word, size, fill } => {
                pad(emitter, word, size, &quote!(__out.fill(#fill, __pad)?;))
            }
            What::Align { word, to, fill } if field.is_element => {
                let (rt, call) = (&emitter.rt, emitter.size(word, to, Site::Write));
                quote!(#rt::parallel::align_behind(__out, __start, (#word, #call), #fill)?;)
            }
            What::Align { word, to, fill } => {
                pad(emitter, word, to, &quote!(__out.align(__start, __pad, #fill)?;))
            }
            What::Rest(region) => {
                let rest = rest(emitter, field, *region);
                let space = looks_ahead(field).then(|| mark(field, "space"));
                let close = space.map(|space| quote!(__out.close(#space);));
                quote!(#rest #close)
            }
            _ => continue,
        };
        if is_behind { &mut around.behind } else { &mut around.before }.extend(pad);
    }
    around
}

/// Computes the size of a padding, and writes it.
fn pad(emitter: &Emitter<'_>, word: &str, size: &Expr, put: &TokenStream) -> TokenStream {
    let (rt, call) = (&emitter.rt, emitter.size(word, size, Site::Write));
    quote!({ let __pad = #rt::write::size(__out, #word, #call)?; #put })
}

/// Fills a region behind its value.
fn rest(emitter: &Emitter<'_>, field: &Field<'_>, region: Region<'_>) -> TokenStream {
    let (rt, fill, begin) = (&emitter.rt, region.fill, mark(field, "begin"));
    let Some(target) = padded_by(emitter, field) else {
        return pad(emitter, "pad_to", region.size, &quote!(__out.pad_to(#begin, __pad, #fill)?;));
    };
    let padded = mark(field, "padded");
    let (align, stored) = padded_to(emitter, target, field);
    let sizes = told_sizes(emitter, field);
    quote! {
        let __has = __out.pos().saturating_sub(#begin);
        #padded = #rt::write::padded(__has, #align, #stored, #sizes);
        __out.pad_to(#begin, #padded, #fill)?;
    }
}

/// Writes a field of the sequence.
pub(super) fn piece(plan: &Plan<'_, '_>, index: usize, field: &Field<'_>) -> Piece {
    let Around { before, magic, behind, .. } = around(plan, index, field);
    let value = inside(plan, index, field);
    let name = text(&field.label);
    // Plain bytes fail only where the output is full, whatever their name.
    let is_nameless = is_plain(field) && before.is_empty() && behind.is_empty();
    // A number stands behind its padding and its magic.
    let is_number = matches!(field.kind, Kind::Scalar(_));
    let has_before = !before.is_empty() || !magic.is_empty();
    let at = (is_number && has_before).then(|| plan.note_at(index, field, 0));
    Piece { before: quote!(#before #magic #at), value, behind, name, is_nameless }
}

/// Writes a located field, or one value of a field with `for_each`; leaves the length in `__size`.
pub(super) fn located(plan: &Plan<'_, '_>, index: usize, field: &Field<'_>) -> TokenStream {
    let Around { before, magic, behind, region } = around(plan, index, field);
    let mut value = inside(plan, index, field);
    if field.words.shared.is_some() && is_compared_as_written(plan.emitter.model, field) {
        value.extend(quote!(__out.own_ends();));
    }
    // What has no bytes takes no place, and has nothing behind it; but a region has bytes.
    let local = lengths(plan, index, field);
    let (lies, behind) = if behind.is_empty() {
        (quote!(), quote!())
    } else if region || !field.is_located() {
        (quote!(), quote!(#local #behind))
    } else {
        (quote!(let __lies = __out.pos();), quote!(if __out.pos() != __lies { #local #behind }))
    };
    let name = text(&field.label);
    // What lies in the open section of another value is read up to the end of the file, all else up to that of its
    // region.
    let place = plan.emitter.lowered.place(index);
    let to_next = field.goes_to_next();
    let rest = if to_next { None } else { super::sequence::ends(plan, index, field) };
    let asks = looks_ahead(field) && !ends_in_region(plan.emitter, field) || rest.is_some();
    // Where nothing is written, the slot knows where the region ends.
    let (from, rest) = match rest {
        Some(rest) => {
            (quote!(let __from = __out.pos();), quote!(if __out.pos() != __from { #rest }))
        }
        None => (quote!(), quote!()),
    };
    let around = place.is_some_and(|place| place.space == Space::Around);
    let apart = to_next || asks && around;
    if field.is_element {
        let rt = &plan.emitter.rt;
        let open = apart.then(|| quote!(let __apart = #rt::parallel::open(__out);));
        let close = if to_next { quote!(close) } else { quote!(close_last) };
        let close = quote!(#rt::parallel::#close(__out, __apart););
        let close = apart.then_some(close);
        let (begin, end) = (
            quote!(#rt::parallel::begin(__out, #name, __item);),
            quote!(#rt::parallel::end(__out);),
        );
        let written = with_rest((&begin, &end), &value, &rest, &behind);
        return quote!(#open #from #lies #before #magic #written #close);
    }
    let open = apart.then(|| quote!(let __apart = __out.open();));
    let close =
        if to_next { quote!(__out.close(__apart);) } else { quote!(__out.close_last(__apart);) };
    let close = apart.then_some(close);
    let names = (&quote!(__out.enter(#name);), &quote!(__out.leave();));
    let written = with_rest(names, &value, &rest, &behind);
    quote!(#open #from #lies #before #magic #written #close)
}

/// A value with its padding. Who insists that nothing is left of the region does so in front of the padding, which
/// a reader would take for a part of the value.
fn with_rest(
    (begin, end): (&TokenStream, &TokenStream),
    value: &TokenStream,
    rest: &TokenStream,
    behind: &TokenStream,
) -> TokenStream {
    if rest.is_empty() || behind.is_empty() {
        return quote!(#begin #value #behind #end #rest);
    }
    quote!(#begin #value #end #rest #begin #behind #end)
}

/// Notes where the space of a padded value begins.
fn begin(field: &Field<'_>) -> TokenStream {
    let begin = mark(field, "begin");
    let space = looks_ahead(field).then(|| {
        let space = mark(field, "space");
        quote!(#space = __out.open();)
    });
    quote!(#begin = __out.pos(); #space)
}

/// Whether readers of a value may decide by what comes behind it.
pub(super) fn looks_ahead(field: &Field<'_>) -> bool {
    if field.peeks() {
        return true;
    }
    if let Some(map) = &field.words.map {
        return scalar(&map.value.stored).is_none();
    }
    let item = match field.kind {
        Kind::Nested => return !is_codec(field),
        Kind::Seq(item) | Kind::Vec(item) | Kind::Array(item) => item,
        _ => return false,
    };
    !is_codec(field) && scalar(item).is_none()
}

/// The value itself, between the marks of its place.
pub(super) fn inside(plan: &Plan<'_, '_>, index: usize, field: &Field<'_>) -> TokenStream {
    let own = !field.is_element;
    let (from, to) = (mark(field, "from"), mark(field, "to"));
    let marked = own && plan.is_marked(index);
    let start = marked.then(|| {
        let start = start_of(plan, field);
        quote!(#from = __out.pos(); #start)
    });
    let stop = marked.then(|| quote!(#to = __out.pos();));
    let mut written = value(plan, index, field);
    if own && plan.measures_len(index) || field.is_located() || field.is_element {
        let size = if own && plan.measures_len(index) {
            let size = mark(field, "size");
            quote!(#size = __size;)
        } else {
            quote!()
        };
        written = if is_sized(field) && plan.is_reserved(index) {
            quote!(#written #size)
        } else if is_sized(field) {
            let sized = prefixed(plan.emitter, field, TokenStream::new());
            quote!(let __size = #sized; #size)
        } else {
            let counted = quote! {
                let __before = __out.pos();
                #written
                let __size = __out.pos().saturating_sub(__before);
                #size
            };
            prefixed(plan.emitter, field, counted)
        };
    } else if !(is_sized(field) && plan.is_reserved(index)) {
        written = prefixed(plan.emitter, field, written);
        if is_sized(field) {
            written = quote!(#written;);
        }
    }
    if is_in_region(field) {
        written = in_region(plan.emitter, own, &written);
    }
    // What is written over has other decoded bytes then.
    let seen = (own && !plan.is_reserved(index)).then(|| plan.seen_decoded(index));
    if let Some((before, behind)) = seen.flatten() {
        written = quote!(#before #written #behind);
    }
    let nul = field.has_nul().then(|| match field.kind {
        Kind::Utf16 => quote!(__out.put(&[0, 0])?;),
        _ => quote!(__out.put(&[0])?;),
    });
    let terminator = terminator::behind(plan.emitter, field);
    quote!(#start #written #nul #terminator #stop)
}

/// Whether a length ends what readers of the value look at.
fn is_in_region(field: &Field<'_>) -> bool {
    field.words.len.is_some() && (looks_ahead(field) || is_codec(field))
}

/// Whether nothing else is looked at behind that.
fn ends_in_region(emitter: &Emitter<'_>, field: &Field<'_>) -> bool {
    is_in_region(field) && terminator::behind(emitter, field).is_empty()
}

/// Writes what readers look at up to the end of its region.
fn in_region(emitter: &Emitter<'_>, own: bool, written: &TokenStream) -> TokenStream {
    if own {
        return quote!(let __region = __out.open(); #written __out.close(__region););
    }
    let rt = &emitter.rt;
    quote! {
        let __region = #rt::parallel::open(__out);
        #written
        #rt::parallel::close(__out, __region);
    }
}

/// Keeps where a field starts, if an expression asks for it.
fn start_of(plan: &Plan<'_, '_>, field: &Field<'_>) -> Option<TokenStream> {
    let mut referenced = all_measures(plan.emitter.model).into_iter();
    let (start, from) = (measured(Measure::Start, &field.name), mark(field, "from"));
    referenced
        .any(|(measure, other)| measure == Measure::Start && other.name == field.name)
        .then(|| quote!(let #start = __out.from_origin(#from)?;))
}

/// Whether a field is bytes that are written as they are.
fn is_plain(field: &Field<'_>) -> bool {
    let byte_array = matches!(field.kind, Kind::Array(item) if is_byte(item));
    (field.kind.is_bytes() || byte_array)
        && field.words.with.is_none()
        && field.words.prefix.is_none()
        && field.words.checksum.is_none()
        && !field.looks_for_its_end()
}

/// What the padding behind a located value names, and its length tells.
fn lengths(plan: &Plan<'_, '_>, index: usize, field: &Field<'_>) -> TokenStream {
    let model = plan.emitter.model;
    let mut all = TokenStream::new();
    if field.is_element || field.is_bytes() {
        return all;
    }
    let behind: Vec<&Expr> = shape_exprs(field)
        .into_iter()
        .filter(|(_, _, part)| *part == Part::Behind)
        .map(|(_, expr, _)| expr)
        .collect();
    let own =
        |(measure, name): &(Measure, &syn::Ident)| *measure == Measure::Len && **name == field.name;
    if behind.iter().any(|expr| expr.measures().iter().any(own)) {
        let len = measured(Measure::Len, &field.name);
        all.extend(quote!(let #len: u64 = __size;));
    }
    for step in plan.emitter.steps {
        let Some(target) = model.fields().get(step.target) else { continue };
        let named = behind.iter().any(|expr| expr.names().iter().any(|name| **name == target.name));
        if named
            && padded_by(plan.emitter, field).is_none()
            && plan.ready.sets_length_of(step.target, index)
        {
            all.extend(compute(plan, step, false));
        }
    }
    all
}
