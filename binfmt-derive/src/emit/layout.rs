//! The declaration as data.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::{GenericParam, LitStr};

use super::sizes::{Extent, extent, magic_len};
use super::{Emitter, limits, overrides, plain, rule, text, unraw};
use crate::attr::Order;
use crate::model::{Body, ByteOrder, Field, Kind, Model, Variant, scalar};
use crate::model::{is_parameter, type_text, variant_magics_in};
use crate::steps::{Plain, PlainKind, Step, What};

/// The declaration as data.
pub(crate) fn layout(emitter: &Emitter<'_>) -> TokenStream {
    let (rt, model) = (&emitter.rt, emitter.model);
    let (shape, fields) = match &model.body {
        Body::Struct(fields) => {
            let fields = fields.iter().enumerate().map(|(index, one)| field(emitter, index, one));
            let computed = model.words.computed.iter().map(|one| emitter.computed_layout(one));
            (quote!(Struct), fields.chain(computed).collect())
        }
        Body::Enum { variants, kept, other, .. } => {
            let named = variants.iter().map(|named| {
                let number = named.number.to_token_stream().to_string();
                entry(rt, &unraw(named.ident), "", &named.doc, &number)
            });
            let kept = kept
                .iter()
                .map(|kept| entry(rt, &unraw(kept.ident), "", &kept.doc, &kept.words.text));
            let other =
                other.map(|ident| entry(rt, &unraw(ident), "", "Any other number.", "other"));
            (quote!(Enum), named.chain(kept).chain(other).collect::<Vec<_>>())
        }
        Body::Union(variants) => {
            let all = variants.iter().map(|variant| {
                let entry = self::variant(rt, variant);
                let nested = variant.ty.filter(|ty| scalar(ty).is_none());
                let of = nested.map(|ty| quote!(.of::<#ty>()));
                quote!(#entry #of)
            });
            (quote!(Union), all.collect())
        }
    };
    declaration(emitter, &shape, &fields)
}

/// The layout of a type with those fields or variants.
pub(super) fn declaration(
    emitter: &Emitter<'_>,
    shape: &TokenStream,
    fields: &[TokenStream],
) -> TokenStream {
    let (rt, model) = (&emitter.rt, emitter.model);
    let (name, doc) = (text(&model.name()), text(&model.doc));
    let words = match &model.body {
        Body::Enum { repr_ty, .. } if model.words.text.is_empty() => format!("repr({repr_ty})"),
        Body::Enum { repr_ty, .. } => format!("repr({repr_ty}), {}", model.words.text),
        _ => model.words.text.clone(),
    };
    let words = text(&words);
    let spec = model.words.spec.as_ref().map(|spec| {
        let spec = &spec.value;
        quote!(spec: __rt::Some(#spec),)
    });
    let generic = generic(emitter);
    let magics = magics(model);
    let lead = magic_len(emitter);
    let rules = rules(emitter, None).map(|rules| quote!(rules: #rules,));
    let overrides =
        overrides::table(rt, &model.words).map(|overrides| quote!(overrides: #overrides,));
    quote! {
        &#rt::Layout {
            #generic
            #spec
            #magics
            fields: &#rt::layout::fields(#lead, [#(#fields),*]),
            #rules
            #overrides
            ..#rt::layout::declared(#name, #rt::Shape::#shape, #doc, #words)
        }
    }
}

/// The types and constants that a declaration has as parameters.
fn generic(emitter: &Emitter<'_>) -> Option<TokenStream> {
    let rt = &emitter.rt;
    let name = |param: &GenericParam| match param {
        GenericParam::Type(param) => Some(text(&unraw(&param.ident))),
        GenericParam::Const(param) => Some(text(&unraw(&param.ident))),
        GenericParam::Lifetime(_) => None,
    };
    let names: Vec<_> = emitter.model.input.generics.params.iter().filter_map(name).collect();
    (!names.is_empty()).then(|| quote!(generic: #rt::layout::generic::<Self>(&[#(#names),*]),))
}

/// The constants that a value begins with one of.
fn magics(model: &Model<'_>) -> TokenStream {
    let in_order = |order| match &model.body {
        Body::Union(variants) => {
            let all: Vec<_> =
                variants.iter().map(|variant| variant_magics_in(variant, order)).collect();
            // A variant without a magic may begin with anything.
            if all.iter().any(Vec::is_empty) { Vec::new() } else { all.concat() }
        }
        _ => crate::model::known_magics(model, order),
    };
    let constants = |list: &[Vec<u8>]| {
        let bytes = list.iter().map(|bytes| quote!(&[#(#bytes),*]));
        bytes.collect::<Vec<_>>()
    };
    let (own, mut ordered) = (model.words.order.as_ref().map(|word| word.value), quote!());
    let is_struct = !matches!(model.body, Body::Union(_));
    let dynamic = is_struct && matches!(model.order_at(0), Some(ByteOrder::Dynamic));
    let list = if model.inherits() || dynamic {
        let [little, mut big] = [Order::Little, Order::Big].map(|order| in_order(Some(order)));
        let [in_little, in_big] = [&little, &big].map(|list| constants(list));
        if little != big && model.inherits() {
            ordered = quote!(ordered: [&[#(#in_little),*], &[#(#in_big),*]],);
        }
        big.retain(|magic| !little.contains(magic));
        [little, big].concat()
    } else {
        in_order(own)
    };
    let bytes = constants(&list);
    let peek = model.words.peek.as_ref().map(|peek| &peek.value);
    let peek = peek.filter(|peek| peek.base10_digits() != "0");
    match bytes.as_slice() {
        [] => quote!(),
        all if peek.is_some() => quote!(peeked: (#peek, &[#(#all),*]), #ordered),
        [one] => quote!(magic: #one,),
        [first, ..] => quote!(magic: #first, alternatives: &[#(#bytes),*], #ordered),
    }
}

/// A variant of which nothing else is known.
pub(super) fn variant(rt: &TokenStream, variant: &Variant<'_>) -> TokenStream {
    let ty = variant.ty.map(type_text).unwrap_or_default();
    // The struct that fields of a variant become is shown by its name in reports.
    let ty = ty.strip_prefix("__").filter(|_| variant.part.is_some()).unwrap_or(&ty);
    entry(rt, &unraw(variant.ident), ty, &variant.doc, &variant.words.text)
}

/// A variant, or a field of which nothing else is known.
pub(super) fn entry(rt: &TokenStream, name: &str, ty: &str, doc: &str, words: &str) -> TokenStream {
    let (name, ty) = (text(name), text(ty));
    let more = more(doc, words);
    quote!(#rt::layout::field(#name, #ty) #more)
}

/// The doc comment and the words, if there are any.
fn more(doc: &str, words: &str) -> Option<TokenStream> {
    let given = !doc.is_empty() || !words.is_empty();
    let (doc, words) = (text(doc), text(words));
    given.then(|| quote!(.text(#doc, #words)))
}

/// The layout of a field.
fn field(emitter: &Emitter<'_>, index: usize, field: &Field<'_>) -> TokenStream {
    let (rt, model) = (&emitter.rt, emitter.model);
    let name = unraw(&field.name);
    let name = text(name.strip_prefix('_').filter(|_| model.is_transparent()).unwrap_or(&name));
    let ty = text(&type_text(field.ty));
    let more = more(&field.doc, &field.words.text);
    let (own, size) = if model.words.bits.is_some() {
        let width = field.words.width.as_ref().map(|width| &width.value);
        (quote!(#rt::layout::field(#name, #ty).bits(#width)), None)
    } else {
        (place(emitter, index, field, (&name, &ty)), size(emitter, field))
    };
    let one = field.one();
    let nested = match one.kind {
        // What functions of the user read may be anything.
        _ if one.words.with.is_some() => None,
        Kind::Nested => Some(one.stored()),
        Kind::Seq(item) | Kind::Vec(item) | Kind::Array(item) => Some(item),
        _ => None,
    };
    let nested = nested.map(|ty| quote!(.of::<#ty>()));
    let rules = rules(emitter, Some((index, field)));
    let rules = rules.map(|rules| quote!(.rules(#rules)));
    let overrides =
        overrides::table(rt, &field.words).map(|overrides| quote!(.overrides(#overrides)));
    let computed = is_computed(emitter, index, field).then(|| quote!(.computed()));
    quote!(#own #size #nested #more #rules #overrides #computed)
}

/// Whether the writer computes a field of the struct, or part of it.
fn is_computed(emitter: &Emitter<'_>, index: usize, field: &Field<'_>) -> bool {
    let fields = emitter.model.fields();
    let flagged = |other: &Field<'_>| other.flag.as_ref().is_some_and(|flag| flag.index == index);
    let solved = emitter.steps.iter().any(|step| step.target == index);
    let whole =
        field.made_by().is_some() || field.named_tag().is_some() || field.tag_of_bytes().is_some();
    if whole || field.holds_values(emitter.model, index) {
        return true;
    }
    matches!(field.kind, Kind::Scalar(_))
        && (solved || field.words.checksum.is_some() || fields.iter().any(flagged))
}

/// A field in its place among the others.
fn place(
    emitter: &Emitter<'_>,
    index: usize,
    field: &Field<'_>,
    (name, ty): (&LitStr, &LitStr),
) -> TokenStream {
    let rt = &emitter.rt;
    let steps = emitter.lowered.of(index);
    if let [Step { what: What::Plain(Plain { kind: PlainKind::Number(_, size), .. }), .. }, ..] =
        steps
    {
        return quote!(#rt::layout::plain(#name, #ty, #size));
    }
    if field.is_located() {
        return quote!(#rt::layout::field(#name, #ty));
    }
    let extent = extent(emitter, index, field);
    let magic = field.words.magic.as_ref().map(|magic| crate::model::magic_len(&magic.value));
    let lead = magic.map(|len| quote!(.lead(#len)));
    let before = |step: &Step<'_>| match step.what {
        What::Pad { .. } => true,
        What::Align { .. } => index > 0 || magic_len(emitter) > 0,
        _ => false,
    };
    let mut in_front = steps.iter().take_while(|step| !matches!(step.what, What::Enter));
    let floats = in_front.any(before).then(|| quote!(.floats()));
    let extent = match extent {
        Extent { least: 0, of: Some(ty), fixed: true } => {
            quote!(.in_line(<#ty as #rt::Wire<'_>>::EXTENT))
        }
        _ => {
            let (least, fixed) = (extent.least(rt), extent.fixed(rt));
            quote!(.extent(#least, #fixed))
        }
    };
    quote!(#rt::layout::field(#name, #ty) #extent #lead #floats)
}

/// The size of the value of a field, where that is a number.
fn size(emitter: &Emitter<'_>, field: &Field<'_>) -> Option<TokenStream> {
    match field.kind {
        Kind::Scalar(scalar) | Kind::Auto(scalar, _) => {
            let plain = plain::is_number(emitter, field);
            let size = usize::from(scalar.size);
            let known = !plain && !field.is_optional() && !scalar.variable;
            known.then(|| quote!(.size(#size)))
        }
        Kind::Nested if is_parameter(emitter.model, field.ty) => {
            let ty = field.ty;
            Some(quote!(.size_of::<#ty>()))
        }
        _ => None,
    }
}

/// The rules of a field or the type as data, if there are any.
pub(super) fn rules(
    emitter: &Emitter<'_>,
    field: Option<(usize, &Field<'_>)>,
) -> Option<TokenStream> {
    let rt = &emitter.rt;
    let (index, field) = field.unzip();
    let steps = index.map_or(emitter.lowered.all(), |index| emitter.lowered.of(index));
    let rule = |step: &Step<'_>| match &step.what {
        What::Rule(code, rule) => {
            let (text, kind) = (&rule.text, rule::function(rule.kind));
            Some(quote!(#rt::layout::#kind(#code, #text)))
        }
        What::Items(rule) => {
            let code = limits::code(emitter, field?, rule);
            let (weight, text) = (overrides::of_items(rt, field?, rule), text(&rule.text));
            Some(quote!(#rt::layout::items(#code, #text, #weight)))
        }
        _ => None,
    };
    let all: Vec<_> = steps.iter().filter(|step| step.field == index).filter_map(rule).collect();
    (!all.is_empty()).then(|| quote!(&[#(#all),*]))
}
