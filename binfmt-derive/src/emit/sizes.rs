//! Sizes that do not depend on a file.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use super::Emitter;
use crate::attr::Order;
use crate::expr::Expr;
use crate::model::{Body, Field, Kind, scalar};
use crate::steps::{Size, Value, What};

/// How many bytes a field has, as far as its declaration says so.
pub(super) struct Extent<'m> {
    /// At least so many, without those of the type below.
    pub(super) least: usize,
    /// A type whose size is known to itself alone.
    pub(super) of: Option<&'m Type>,
    /// Whether it always has as many.
    pub(super) fixed: bool,
}

impl Extent<'_> {
    pub(super) fn least(&self, rt: &TokenStream) -> TokenStream {
        let least = self.least;
        match self.of {
            Some(ty) if least == 0 => quote!(<#ty as #rt::Wire<'_>>::MIN_SIZE),
            Some(ty) => quote!(<#ty as #rt::Wire<'_>>::MIN_SIZE.saturating_add(#least)),
            None => quote!(#least),
        }
    }

    pub(super) fn fixed(&self, rt: &TokenStream) -> TokenStream {
        match self.of {
            Some(ty) if self.fixed => quote!(<#ty as #rt::Wire<'_>>::FIXED),
            _ => {
                let fixed = self.fixed;
                quote!(#fixed)
            }
        }
    }
}

/// How many bytes a field has, by its steps; one that may be absent or lies elsewhere may have none.
pub(super) fn extent<'f>(emitter: &Emitter<'_>, index: usize, field: &'f Field<'_>) -> Extent<'f> {
    let mut extent = Extent { least: 0, of: None, fixed: true };
    for step in emitter.lowered.of(index) {
        match &step.what {
            What::If(_) | What::Place(_) | What::Parallel(_) => {
                return Extent { least: 0, of: None, fixed: false };
            }
            What::Plain(plain) => extent.least += plain.kind.size(),
            What::Magic(magic) => extent.least += crate::model::magic_len(magic),
            What::Prefix(ty) => {
                extent.least += scalar(ty).map_or(0, |scalar| usize::from(scalar.size));
                extent.fixed = false;
            }
            What::Terminator => extent.least += field.terminator_bytes(Order::Little).len(),
            What::Nul { wide } => extent.least += if *wide { 2 } else { 1 },
            What::Pad { .. } | What::Align { .. } | What::Region(_) => extent.fixed = false,
            What::Value(Value::With(..)) => return Extent { least: 0, of: None, fixed: false },
            What::Value(value) => match (field.kind.scalar(), value) {
                (Some(scalar), _) => {
                    extent.least += usize::from(scalar.size);
                    extent.fixed &= !scalar.variable;
                }
                (None, Value::Bytes(_) | Value::Items(_)) => extent.fixed = false,
                (None, Value::Nested(size) | Value::Map(_, size)) => {
                    extent.of = Some(field.stored());
                    extent.fixed &= matches!(size, Size::Rest);
                }
                (None, _) => extent.of = Some(field.stored()),
            },
            _ => {}
        }
    }
    extent
}

/// `MIN_SIZE` and `FIXED` of a struct.
pub(crate) fn sizes(emitter: &Emitter<'_>) -> (TokenStream, TokenStream) {
    let (rt, words) = (&emitter.rt, &emitter.model.words);
    let magic = magic_len(emitter);
    let fields = min_size_of(emitter, 0);
    let least = if magic == 0 { fields } else { quote!(#magic.saturating_add(#fields)) };
    if words.len.is_some() || words.align_after.is_some() {
        return (least, quote!(false));
    }
    let fields = emitter.model.fields().iter().enumerate();
    let parts = fields.map(|(index, field)| extent(emitter, index, field).fixed(rt));
    (least, all_of(parts))
}

/// The smallest number of bytes of the fields from `first` on.
pub(crate) fn min_size_of(emitter: &Emitter<'_>, first: usize) -> TokenStream {
    let (mut known, mut nested) = (0_usize, Vec::new());
    for (index, field) in emitter.model.fields().iter().enumerate().skip(first) {
        let extent = extent(emitter, index, field);
        known = known.saturating_add(extent.least);
        nested.extend(extent.of);
    }
    let rt = &emitter.rt;
    quote!(#known #(.saturating_add(<#nested as #rt::Wire<'_>>::MIN_SIZE))*)
}

/// Whether all of some conditions hold, most of which are known here.
fn all_of(parts: impl Iterator<Item = TokenStream>) -> TokenStream {
    let mut nested = Vec::new();
    for part in parts {
        match part.to_string().as_str() {
            "true" => {}
            "false" => return quote!(false),
            _ => nested.push(part),
        }
    }
    if nested.is_empty() { quote!(true) } else { quote!(#(#nested)&&*) }
}

pub(super) fn magic_len(emitter: &Emitter<'_>) -> usize {
    emitter.model.words.magic.as_ref().map_or(0, |magic| crate::model::magic_len(&magic.value))
}

/// Whether reading a value copies nothing and looks through nothing, however long it is.
pub(crate) fn shallow(emitter: &Emitter<'_>) -> TokenStream {
    let rt = &emitter.rt;
    let parts: Vec<TokenStream> = match &emitter.model.body {
        Body::Enum { .. } => Vec::new(),
        Body::Union(_) => vec![quote!(false)],
        Body::Struct(fields) => fields
            .iter()
            .map(|field| match field.kind {
                _ if field.words.with.is_some() || has_told_padding(field) => quote!(false),
                // Bytes between values at offsets are compared.
                _ if field.is_located() => quote!(false),
                Kind::Bytes { owned } => {
                    let free = !owned && !field.looks_for_its_end();
                    quote!(#free)
                }
                Kind::Scalar(_) | Kind::Auto(..) => quote!(true),
                Kind::Array(_) | Kind::Nested => {
                    let ty = field.stored();
                    quote!(<#ty as #rt::Wire<'_>>::SHALLOW)
                }
                _ => quote!(false),
            })
            .collect(),
    };
    all_of(parts.into_iter())
}

/// Whether there is padding around a value of which the file says how much, all of which is compared.
pub(super) fn has_told_padding(field: &Field<'_>) -> bool {
    let words = &field.words;
    let pads = [
        &words.pad_before,
        &words.align_before,
        &words.pad_after,
        &words.align_after,
        &words.pad_to,
    ];
    pads.into_iter().flatten().any(|word| !matches!(word.value, Expr::Int(..)))
}
