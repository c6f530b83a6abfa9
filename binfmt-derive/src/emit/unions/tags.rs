//! Enums told apart by a tag that they are given.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Lifetime, Path};

use super::read_apart;
use crate::attr::{End, Id, Words};
use crate::emit::args::with_lifetime;
use crate::emit::{Emitter, Site};
use crate::expr::Expr;
use crate::model::{TagSort, Variant};
use crate::tokens::{renamed, respanned};

/// The variant of the tag, in one `match`.
pub(super) fn walk(emitter: &Emitter<'_>, variants: &[Variant<'_>]) -> TokenStream {
    let rt = &emitter.rt;
    let tag = tag(emitter, Site::Walk);
    let (constants, patterns) = patterns(emitter, variants);
    let unknown = match variants.iter().find(|variant| variant.words.other.is_some()) {
        Some(other) => read_apart(emitter, other),
        None => {
            let found = found(emitter);
            let unknown = match emitter.model.tag_sort() {
                TagSort::Number => quote!(unknown_tag),
                TagSort::Parts => quote!(unknown_parts),
                TagSort::Bytes | TagSort::Text => quote!(unknown_bytes),
            };
            quote!(__rt::Err(#rt::union::#unknown(__cur, __obs, #found)))
        }
    };
    let arms = variants.iter().zip(&patterns).filter_map(|(variant, pattern)| {
        let (pattern, guard) = (pattern.as_ref()?, guard(emitter, variant, Site::Walk));
        let read = read_apart(emitter, variant);
        Some(quote!(#pattern #guard => #read,))
    });
    quote! {
        #constants
        #tag
        match __tag {
            #(#arms)*
            _ => #unknown,
        }
    }
}

/// The tag that the writer is given, and the function that tells its variant.
pub(super) fn written(emitter: &Emitter<'_>, variants: &[Variant<'_>]) -> Option<TokenStream> {
    emitter.model.words.tag.as_ref()?;
    let tag = tag(emitter, Site::Write);
    if !is_guarded(variants) {
        select(emitter, variants);
        return Some(tag);
    }
    let (constants, patterns) = patterns(emitter, variants);
    let arms =
        variants.iter().zip(&patterns).enumerate().filter_map(|(index, (variant, pattern))| {
            let (pattern, guard) = (pattern.as_ref()?, guard(emitter, variant, Site::Write));
            Some(quote!(#pattern #guard => #index,))
        });
    let other = other(variants);
    Some(quote! {
        #tag
        #constants
        let __variant: ::core::primitive::usize = match __tag { #(#arms)* _ => #other };
    })
}

/// Whether a condition stands beside the ids of a variant.
fn is_guarded(variants: &[Variant<'_>]) -> bool {
    let guarded = |variant: &Variant<'_>| {
        variant.words.id.as_ref().is_some_and(|ids| ids.value.guard.is_some())
    };
    variants.iter().any(guarded)
}

/// The index of the variant for tags that no other one stands for.
fn other(variants: &[Variant<'_>]) -> usize {
    variants.iter().position(|variant| variant.words.other.is_some()).unwrap_or(usize::MAX)
}

/// The tag that is there, for findings.
fn found(emitter: &Emitter<'_>) -> TokenStream {
    let rt = &emitter.rt;
    match emitter.model.tag_sort() {
        TagSort::Number => quote!(#rt::ops::to_bits(#rt::ops::Widen::widen(&__tag))),
        TagSort::Bytes => quote!(&__tag[..]),
        TagSort::Text => quote!(__tag.as_bytes()),
        TagSort::Parts => {
            let parts = emitter.model.words.tag.iter().flat_map(|tag| &tag.value.parts);
            let (mut holes, mut values) = (Vec::new(), Vec::new());
            for (index, part) in parts.enumerate() {
                let index = syn::Index::from(index);
                let (hole, value) = match emitter.model.sort_of(part) {
                    TagSort::Bytes => ("{:02x?}", quote!(&__tag.#index[..])),
                    TagSort::Text => ("{:?}", quote!(__tag.#index)),
                    _ => ("{}", quote!(#rt::ops::to_bits(#rt::ops::Widen::widen(&__tag.#index)))),
                };
                holes.push(hole);
                values.push(value);
            }
            let text = format!("({})", holes.join(", "));
            quote!(::core::format_args!(#text, #(#values),*))
        }
    }
}

/// The tag of the writer must be one of the variant, and the one that the variant keeps.
pub(super) fn agree(
    emitter: &Emitter<'_>,
    variants: &[Variant<'_>],
    variant: &Variant<'_>,
) -> Option<TokenStream> {
    emitter.model.words.tag.as_ref()?;
    let index = variants.iter().position(|other| other.ident == variant.ident)?;
    let kept = variant.kept.map(|_| quote!(&&*__kept == __tag));
    let rt = &emitter.rt;
    let given =
        if is_guarded(variants) { quote!(__variant) } else { quote!(Self::__bin_variant(__tag)) };
    let compare = match emitter.model.tag_sort() {
        TagSort::Number => None,
        TagSort::Parts => Some(quote!(tag_of_parts)),
        TagSort::Bytes | TagSort::Text => Some(quote!(tag_of_bytes)),
    };
    if let Some(compare) = compare {
        let (found, traced) = (found(emitter), variant.kept.map(|_| traced(emitter)));
        return Some(quote! {
            #traced
            #rt::write::#compare(__out, (#given == #index #kept, #index), #found)?;
        });
    }
    Some(quote!(#rt::write::tag(
        __out,
        (#given == #index #kept, #index),
        #rt::Tagged::tag(self),
        #rt::ops::to_bits(#rt::ops::Widen::widen(&__tag)),
    )?;))
}

/// Has the tag that a variant keeps, which is no single number, in the trace of a draft.
fn traced(emitter: &Emitter<'_>) -> TokenStream {
    let rt = &emitter.rt;
    let (mut numbers, mut runs) = (Vec::new(), Vec::new());
    let mut add = |sort, part: TokenStream| match sort {
        TagSort::Bytes => runs.push(quote!(&#part[..])),
        TagSort::Text => runs.push(quote!(#part.as_bytes())),
        _ => numbers.push(quote!(#rt::ops::to_bits(#rt::ops::Widen::widen(&#part)))),
    };
    match emitter.model.tag_sort() {
        TagSort::Parts => {
            let parts = emitter.model.words.tag.iter().flat_map(|tag| &tag.value.parts);
            for (index, part) in parts.enumerate() {
                let index = syn::Index::from(index);
                add(emitter.model.sort_of(part), quote!(__kept.#index));
            }
        }
        sort => add(sort, quote!(__kept)),
    }
    quote!(#rt::write::kept_tag(__out, &[#(#numbers),*], &[#(#runs),*]);)
}

/// Emits the function that tells the index of the variant of a tag.
fn select(emitter: &Emitter<'_>, variants: &[Variant<'_>]) {
    let ty = ty(emitter);
    let (constants, patterns) = patterns(emitter, variants);
    let arms = patterns.iter().enumerate().filter_map(|(index, pattern)| {
        let pattern = pattern.as_ref()?;
        Some(quote!(#pattern => #index,))
    });
    let other = other(variants);
    emitter.functions.borrow_mut().push(quote! {
        #[deny(unreachable_patterns, reason = "an id tells one variant")]
        fn __bin_variant(__tag: #ty) -> ::core::primitive::usize {
            #constants
            match __tag {
                #(#arms)*
                _ => #other,
            }
        }
    });
}

/// The tag of a value, as expressions ask for it.
pub(crate) fn tagged(emitter: &Emitter<'_>, variants: &[Variant<'_>]) -> TokenStream {
    match emitter.model.tag_sort() {
        _ if emitter.model.words.tag.is_none() => return TokenStream::new(),
        TagSort::Number => {}
        TagSort::Bytes | TagSort::Text => return tagged_by(emitter, variants),
        TagSort::Parts => return TokenStream::new(),
    }
    let (rt, name) = (&emitter.rt, &emitter.model.input.ident);
    let (impl_generics, ty_generics, bounds) = emitter.model.input.generics.split_for_impl();
    let arms = variants.iter().map(|variant| {
        let ident = variant.ident;
        let first = variant.words.id.as_ref().and_then(|ids| ids.value.list.first());
        let tag = match (variant.kept, first) {
            (None, Some(Id::One(End::Int(value, _)))) => quote!(#value),
            (None, Some(Id::One(low))) => {
                let low = low.tokens();
                quote!(#rt::ops::to_bits(#rt::ops::Widen::widen(&#low)))
            }
            _ => {
                return quote!(Self::#ident(__kept, ..) => #rt::ops::to_bits(#rt::ops::Widen::widen(__kept)));
            }
        };
        quote!(Self::#ident { .. } => #tag)
    });
    quote! {
        #[automatically_derived]
        impl #impl_generics #rt::Tagged for #name #ty_generics #bounds {
            fn tag(&self) -> u64 {
                match self { #(#arms,)* }
            }
        }
    }
}

/// The bytes, or the text, that a variant stands for or keeps.
fn tagged_by(emitter: &Emitter<'_>, variants: &[Variant<'_>]) -> TokenStream {
    let (rt, name) = (&emitter.rt, &emitter.model.input.ident);
    // What borrows nothing keeps no tag, and all others stand in the declaration.
    let ty = ty_for(emitter, Some(&syn::parse_quote!('static)));
    let (impl_generics, ty_generics, bounds) = emitter.model.input.generics.split_for_impl();
    let tag = emitter.model.words.tag.as_ref().and_then(|tag| tag.value.one());
    let is_array = tag
        .and_then(|tag| emitter.model.tag_type(tag))
        .is_some_and(|ty| matches!(ty, syn::Type::Array(_)));
    let arms = variants.iter().map(|variant| {
        let ident = variant.ident;
        let first = variant.words.id.as_ref().and_then(|ids| ids.value.list.first());
        match (variant.kept, first) {
            (None, Some(Id::One(End::Bytes(tag)))) => {
                let star = is_array.then(|| quote!(*));
                quote!(Self::#ident { .. } => #star #tag)
            }
            (None, Some(Id::One(tag))) => {
                let tag = tag.tokens();
                quote!(Self::#ident { .. } => #tag)
            }
            _ => quote!(Self::#ident(__kept, ..) => *__kept),
        }
    });
    quote! {
        #[automatically_derived]
        impl #impl_generics #rt::TaggedBy for #name #ty_generics #bounds {
            type Tag = #ty;
            fn tag_by(&self) -> #ty {
                match self { #(#arms,)* }
            }
        }
    }
}

/// The type of the tag: that of the argument, or 64 bits if it is computed.
fn ty(emitter: &Emitter<'_>) -> TokenStream {
    ty_for(emitter, None)
}

/// The same; a reference without a lifetime has that one.
fn ty_for(emitter: &Emitter<'_>, lifetime: Option<&Lifetime>) -> TokenStream {
    let Some(tag) = &emitter.model.words.tag else { return quote!(u64) };
    let ty = |part| {
        let ty = emitter.model.tag_type(part);
        let ty = ty.map(|ty| lifetime.map_or_else(|| ty.clone(), |own| with_lifetime(ty, own)));
        ty.map_or_else(|| quote!(u64), |ty| quote!(#ty))
    };
    let parts = tag.value.parts.iter().map(ty);
    if tag.value.tuple { quote!((#(#parts),*)) } else { quote!(#(#parts)*) }
}

fn tag(emitter: &Emitter<'_>, site: Site) -> TokenStream {
    let Some(word) = &emitter.model.words.tag else { return TokenStream::new() };
    let ty = ty(emitter);
    let parts: Vec<&Expr> = word.value.parts.iter().collect();
    let value = match parts.as_slice() {
        [one] if !matches!(one, Expr::Name(_)) => emitter.size("tag", one, site),
        parts => emitter.passed(&ty, parts, site),
    };
    let value = emitter.or_fault(&value, site);
    quote!(let __tag: #ty = #value;)
}

/// One pattern for every variant that has ids, and the constants that they use.
fn patterns(
    emitter: &Emitter<'_>,
    variants: &[Variant<'_>],
) -> (TokenStream, Vec<Option<TokenStream>>) {
    let ty = ty(emitter);
    let mut constants = Constants::of(&emitter.rt);
    let patterns = variants.iter().map(|variant| {
        variant.words.id.as_ref()?;
        Some(constants.pattern(&variant.words, &ty))
    });
    let patterns = patterns.collect();
    (constants.tokens, patterns)
}

/// The condition beside the ids of a variant, as a guard.
fn guard(emitter: &Emitter<'_>, variant: &Variant<'_>, site: Site) -> Option<TokenStream> {
    let guard = variant.words.id.as_ref()?.value.guard.as_ref()?;
    let call = emitter.condition("id", guard, site);
    Some(quote!(if #call == __rt::Some(true)))
}

/// The constants of some patterns.
///
/// A name alone would bind whatever it meets if there were no such constant, so it becomes one; a number of
/// another type becomes one of that of the tag.
pub(in crate::emit) struct Constants<'e> {
    rt: &'e TokenStream,
    pub(in crate::emit) tokens: TokenStream,
    count: usize,
}

impl<'e> Constants<'e> {
    pub(in crate::emit) fn of(rt: &'e TokenStream) -> Self {
        Self { rt, tokens: TokenStream::new(), count: 0 }
    }

    /// The ids of a variant as one pattern of that type.
    pub(in crate::emit) fn pattern(&mut self, words: &Words, ty: &TokenStream) -> TokenStream {
        let ids = words.id.iter().flat_map(|ids| &ids.value.list);
        let ids: Vec<TokenStream> = ids.map(|id| self.id(id, ty)).collect();
        quote!(#(#ids)|*)
    }

    fn id(&mut self, id: &Id, ty: &TokenStream) -> TokenStream {
        match id {
            Id::One(one) => self.end(one, ty),
            Id::Range(low, high) => {
                let low = low.as_ref().map(|low| self.end(low, ty));
                match high {
                    Some(high) => {
                        let high = self.end(high, ty);
                        quote!(#low ..= #high)
                    }
                    None => quote!(#low ..),
                }
            }
            Id::Parts(parts, _) => {
                let parts = parts.iter().zip(types(ty)).map(|(part, ty)| match part {
                    Some(part) => self.id(part, &ty),
                    None => quote!(_),
                });
                let parts: Vec<TokenStream> = parts.collect();
                quote!((#(#parts),*))
            }
        }
    }

    fn end(&mut self, end: &End, ty: &TokenStream) -> TokenStream {
        let is_number = ["u8", "u16", "u32", "u64"].contains(&ty.to_string().as_str());
        let constant = match end {
            End::Path(path) if is_number => self.number(path, ty),
            End::Path(path) if path.get_ident().is_some() => quote!(const NAME: #ty = #path;),
            end => return end.tokens(),
        };
        let name = format_ident!("__ID_{}", self.count, span = end.span());
        self.count = self.count.saturating_add(1);
        self.tokens.extend(renamed(constant, "NAME", &name));
        quote!(#name)
    }

    /// A constant of any type of integers as one of the type of the tag, which can be it.
    fn number(&self, path: &Path, ty: &TokenStream) -> TokenStream {
        let rt = respanned(self.rt.clone(), path.span());
        let value = quote_spanned!(path.span()=> {
            #rt::wanted::id(&#path);
            #rt::union::id(#path as ::core::primitive::i128, #ty::MAX as ::core::primitive::i128) as #ty
        });
        quote! {
            #[allow(
                clippy::as_conversions,
                clippy::cast_lossless,
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "the number is compared before"
            )]
            const NAME: #ty = #value;
        }
    }
}

/// The types of a tuple.
fn types(ty: &TokenStream) -> Vec<TokenStream> {
    let ty = syn::parse2::<syn::TypeTuple>(ty.clone());
    let parts = ty.map(|ty| ty.elems.iter().map(|part| quote!(#part)).collect());
    parts.unwrap_or_default()
}
