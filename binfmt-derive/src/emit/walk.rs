//! The one walk: reads every field and tells the observer. A match over the steps of the declaration.

mod behind;
mod claim;
mod derived;
mod field;
mod floating;
mod item_numbers;
mod kept;
mod located;
mod measures;
mod parallel;
mod presence;
mod rendered;
mod sequence;
mod set_to;
mod starts;
mod until;
mod value;

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Path;

use super::expr::measured;
use super::magic::{self, dynamic_order, magic_at};
use super::{Emitter, Site, checksum, local, plain, sizes};
use crate::expr::Expr;
use crate::model::{Field, Kind, is_byte};
use crate::steps::What;

pub(crate) use derived::is_kept;
pub(super) use field::rules;
pub(super) use item_numbers::place_of;
pub(super) use located::free;
pub(super) use parallel::{copier, groups, items_of};
pub(crate) use presence::{condition, place_decides};
pub(crate) use until::{last_or, least_left, remaining, until_last};

/// The body of `walk` for a struct.
pub(crate) fn emit(emitter: &Emitter<'_>) -> TokenStream {
    let steps = emitter.lowered.all();
    let groups: Vec<_> = steps.chunk_by(|a, b| a.field.is_some() && a.field == b.field).collect();
    let mut groups = groups.as_slice();
    let mut all = TokenStream::new();
    let mut located = false;
    while let [group, rest @ ..] = groups {
        let Some(first) = group.first() else { break };
        let field = first.field.and_then(|index| Some((index, emitter.model.fields().get(index)?)));
        let Some((index, field)) = field else {
            all.extend(of_type(emitter, &first.what));
            groups = rest;
            continue;
        };
        if let Some((run, rest)) = plain::read(emitter, groups) {
            all.extend(run);
            groups = rest;
            continue;
        }
        if field.is_located() && !std::mem::replace(&mut located, true) {
            let places = parallel::all_placements(emitter);
            let sections = located::sections(emitter);
            all.extend(quote!(__cur.stepped = true; #places #sections));
        }
        all.extend(field::field(emitter, index, field, group));
        // A region inside the value does not tell where the value ends.
        if !field.is_located() && field.kind.scalar().is_none() && !field.kind.is_bytes() {
            all.extend(quote!(__cur.stepped = false;));
        }
        groups = rest;
    }
    let (value, rt) = (construct(emitter), &emitter.rt);
    let as_referee = emitter.model.has_tables().then(|| {
        quote! {
            if __O::STOPS {
                return #rt::parallel::read_as_referee::<Self, __O>(__cur, __obs, __args);
            }
        }
    });
    quote!(#as_referee #all #value)
}

/// A step of the type itself.
fn of_type(emitter: &Emitter<'_>, what: &What<'_>) -> TokenStream {
    let rt = &emitter.rt;
    match what {
        What::Enter => begin(emitter),
        What::Order => dynamic_order(emitter, Site::Walk).unwrap_or_default(),
        What::Magic(magic) => {
            let bytes = magic_at(emitter, None, magic);
            quote!(#rt::walk::magic(__cur, __obs, #bytes)?;)
        }
        What::Last => quote!(__cur.fill = __fill;),
        What::Limit { len, known } => limit(emitter, len, *known),
        What::Starts(slots) => starts::starts(emitter, slots),
        What::Slots(slots) => located::slots(emitter, slots),
        What::Finish if emitter.lowered.has_limit() => quote! {
            #rt::walk::finish(__cur, __obs)?;
            let (__cur, __fill) = __outer;
        },
        What::Finish => emitter.finish_region(),
        What::Covered => quote!(let __value_end = __cur.pos();),
        What::Align { word, to, .. } => align(emitter, word, to),
        What::Leave => {
            let (_, take_back) = magic::around(emitter, &quote!(__cur));
            quote! {
                #take_back
                __cur.fill = __fill;
                __cur.origin = __origin;
            }
        }
        What::Computed(number) => emitter.read_computed(*number),
        What::Rule(code, rule) => emitter.read_rules(None, &[(code, rule)]),
        What::Derived => derived::derived(emitter),
        What::Checksums => checksum::verify(emitter),
        _ => TokenStream::new(),
    }
}

/// What the walk keeps of a value, and the one comparison for its fixed part.
fn begin(emitter: &Emitter<'_>) -> TokenStream {
    let (rt, count) = (&emitter.rt, emitter.model.fields().len());
    let (set_order, _) = magic::around(emitter, &quote!(__cur));
    let origin = emitter.model.words.origin.as_ref().map(|_| quote!(__cur.origin = __start;));
    let measures = emitter.lowered.measures.iter().filter_map(|(measure, field)| {
        let name = measured(*measure, &emitter.model.fields().get(*field)?.name);
        Some(quote!(let mut #name = 0_u64;))
    });
    let digests = checksum::locals(emitter);
    let open = emitter.model.fields().iter().any(Field::is_open);
    let open = open.then(|| quote!(#rt::place::open_section(__obs);));
    let extents = emitter
        .lowered
        .has_extents()
        .then(|| quote!(let mut __extents = #rt::place::Spans::<#count>::new(Self::__WIRE);));
    quote! {
        let __start = __cur.pos();
        let __fill = ::core::mem::replace(&mut __cur.fill, #rt::Fill::Open);
        let __origin = __cur.origin;
        #set_order
        #origin
        let mut __spans = #rt::place::Spans::<#count>::new(Self::__WIRE);
        #extents
        #open
        #(#measures)*
        #digests
        #rt::walk::need::<__O>(__cur, <Self as #rt::Wire<'_>>::MIN_SIZE)?;
        __cur.stepped = false;
    }
}

impl Emitter<'_> {
    /// The local with the bytes that located fields take, their magic and padding with them.
    fn extents(&self) -> TokenStream {
        if self.lowered.has_extents() { quote!(__extents) } else { quote!(__spans) }
    }

    /// The index of a field, as a path names it: the only field of a transparent type is the value.
    pub(super) fn field_in_path(&self, index: usize) -> TokenStream {
        if self.model.is_transparent() {
            quote!(::core::primitive::usize::MAX)
        } else {
            quote!(#index)
        }
    }
}

/// Limits the rest of the value to its `len`.
fn limit(emitter: &Emitter<'_>, len: &Expr, known: usize) -> TokenStream {
    let call = emitter.size("len", len, Site::Walk);
    let rt = &emitter.rt;
    let rest = sizes::min_size_of(emitter, known);
    let claim = known.checked_sub(1).map_or_else(
        || quote!(#rt::walk::Claim::of(Self::__WIRE, ::core::primitive::usize::MAX, (__start, __cur.pos()))),
        |field| quote!(__spans.claim(#field)),
    );
    quote! {
        let __size = #rt::walk::size_in_front(__obs, "len", #call, #claim)?;
        let mut __inner = #rt::walk::region(__cur, __obs, __start, __size, #claim)?;
        let __outer = (__cur, __fill);
        let __cur = &mut __inner;
        let __fill = ::core::mem::replace(&mut __cur.fill, #rt::Fill::Open);
        #rt::walk::need::<__O>(__cur, #rest)?;
    }
}

/// The padding behind a value.
fn align(emitter: &Emitter<'_>, word: &str, to: &Expr) -> TokenStream {
    let rt = &emitter.rt;
    let call = emitter.size(word, to, Site::Walk);
    let claim = quote!(#rt::walk::Claim::of(Self::__WIRE, 0, (__start, __cur.pos())));
    quote! {
        let __distance = __cur.pos().wrapping_sub(__start);
        #rt::walk::align(__cur, __obs, (#word, #call, __distance), #claim, 0)?;
    }
}

/// Puts the fields together and runs the hand-written rules.
pub(super) fn construct(emitter: &Emitter<'_>) -> TokenStream {
    let rt = &emitter.rt;
    let fields = emitter.model.fields().iter().map(|field| {
        let (member, name) = (&field.member, local(&field.name));
        match field.kind {
            Kind::Auto(..) if field.is_optional() => {
                quote!(#member: #name.map(|_| #rt::Auto::new()))
            }
            Kind::Auto(..) => quote!(#member: #rt::Auto::new()),
            _ => quote!(#member: #name),
        }
    });
    let skipped = super::skip::members(emitter);
    let rules = emitter.model.words.rules_path.as_ref().map(|path| {
        let looked = looked(&path.value);
        quote! {
            if __O::RECORD {
                let __whole = (__start, __cur.pos());
                #rt::rules::run(__obs, Self::__WIRE, __spans.all(), __whole, |__rules| #looked);
            }
        }
    });
    match rules {
        None => quote!(__rt::Ok(Self { #(#fields,)* #skipped })),
        Some(rules) => quote! {
            let __value = Self { #(#fields,)* #skipped };
            #rules
            __rt::Ok(__value)
        },
    }
}

/// What an inspector shows of a whole value, if that is no group.
pub(crate) fn value(emitter: &Emitter<'_>) -> Option<TokenStream> {
    let rt = &emitter.rt;
    let [field] = emitter.model.fields() else { return None };
    if !emitter.model.is_transparent() {
        return None;
    }
    let member = &field.member;
    if emitter.model.words.bitflags.is_some() {
        let at =
            emitter.model.words.bitflags.as_ref().map_or_else(Span::call_site, |word| word.span);
        let at = Span::call_site().located_at(at);
        let names = quote_spanned!(at=> self.iter_names());
        return Some(quote! {
            // Stands in for the method of a type without names.
            #[allow(unused_imports, reason = "a type with names has its own method")]
            use #rt::bits::NoNames as _;
            let mut __names = #rt::Names::default();
            for (__name, _) in #names {
                __names.push(__name);
            }
            #rt::Value::Flags { bits: #rt::ops::Widen::widen(self.#member), names: __names }
        });
    }
    if field.words.map.is_some() || field.words.with.is_some() {
        return None;
    }
    Some(match field.kind {
        Kind::Array(item) if is_byte(item) => quote!(#rt::Value::Bytes(&self.#member)),
        Kind::Scalar(_) | Kind::Nested | Kind::Array(_) => {
            quote!(#rt::Wire::value(&self.#member))
        }
        Kind::Bytes { .. } => quote!(#rt::Value::Bytes(&self.#member)),
        Kind::Text { .. } => quote!(#rt::Value::Str(&self.#member)),
        Kind::Utf16 => quote!(#rt::Value::Utf16(self.#member)),
        _ => return None,
    })
}

/// What the function says that `rules` names.
pub(super) fn looked(path: &Path) -> TokenStream {
    let span = super::map::place(path);
    quote_spanned!(span=> #path(&__value, __rules))
}
