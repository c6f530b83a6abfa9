//! Enums told apart by a tag that they are given.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, format_ident, quote};

use super::read_variant;
use crate::attr::{End, Id};
use crate::emit::{Emitter, Site};
use crate::expr::Expr;
use crate::model::Variant;

/// The variant of the tag, in one `match`.
pub(super) fn walk(emitter: &Emitter<'_>, variants: &[Variant<'_>]) -> TokenStream {
    let rt = &emitter.rt;
    let tag = tag(emitter, Site::Walk);
    let (constants, patterns) = patterns(emitter, variants);
    let unknown = match variants.iter().find(|variant| variant.words.other.is_some()) {
        Some(other) => read_variant(emitter, other),
        None => quote! {{
            let __found = #rt::ops::to_bits(#rt::ops::Widen::widen(&__tag));
            ::core::result::Result::Err(#rt::union::unknown_tag(__cur, __obs, __found))
        }},
    };
    let arms = variants.iter().zip(&patterns).filter_map(|(variant, pattern)| {
        let pattern = pattern.as_ref()?;
        let read = read_variant(emitter, variant);
        Some(quote!(#pattern => #read,))
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
    select(emitter, variants);
    Some(tag(emitter, Site::Write))
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
    Some(quote!(#rt::write::tag(
        __out,
        Self::__bin_variant(__tag) == #index #kept,
        #rt::Tagged::tag(self),
        #rt::ops::to_bits(#rt::ops::Widen::widen(&__tag)),
    )?;))
}

/// Emits the function that tells the index of the variant of a tag.
fn select(emitter: &Emitter<'_>, variants: &[Variant<'_>]) {
    let ty = ty(emitter);
    let (constants, patterns) = patterns(emitter, variants);
    let arms = patterns.iter().enumerate().filter_map(|(index, pattern)| {
        let pattern = pattern.as_ref()?;
        Some(quote!(#pattern => #index,))
    });
    let other = variants.iter().position(|variant| variant.words.other.is_some());
    let other = other.unwrap_or(usize::MAX);
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
    if emitter.model.words.tag.is_none() {
        return TokenStream::new();
    }
    let (rt, name) = (&emitter.rt, &emitter.model.input.ident);
    let (impl_generics, ty_generics, bounds) = emitter.model.input.generics.split_for_impl();
    let arms = variants.iter().map(|variant| {
        let ident = variant.ident;
        let first = variant.words.id.as_ref().and_then(|ids| ids.value.0.first());
        let tag = match (variant.kept, first) {
            (None, Some(Id { low: End::Int(value, _), .. })) => quote!(#value),
            (None, Some(Id { low, .. })) => {
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

/// The type of the tag: that of the argument, or 64 bits if it is computed.
fn ty(emitter: &Emitter<'_>) -> TokenStream {
    let parameter = match &emitter.model.words.tag {
        Some(word) => match &word.value {
            Expr::Name(name) => {
                emitter.model.parameters().iter().find(|parameter| parameter.name == *name)
            }
            _ => None,
        },
        None => None,
    };
    parameter.map_or_else(|| quote!(u64), |parameter| parameter.ty.to_token_stream())
}

fn tag(emitter: &Emitter<'_>, site: Site) -> TokenStream {
    let Some(word) = &emitter.model.words.tag else { return TokenStream::new() };
    let ty = ty(emitter);
    let value = if matches!(&word.value, Expr::Name(_)) {
        emitter.passed(&ty, &[&word.value], site)
    } else {
        emitter.size("tag", &word.value, site)
    };
    let value = emitter.or_fault(&value, site);
    quote!(let __tag: #ty = #value;)
}

/// One pattern for every variant that has ids, and the constants that they use.
///
/// A name alone would bind whatever it meets if there were no such constant, so it becomes one.
fn patterns(
    emitter: &Emitter<'_>,
    variants: &[Variant<'_>],
) -> (TokenStream, Vec<Option<TokenStream>>) {
    let ty = ty(emitter);
    let mut constants = TokenStream::new();
    let mut count = 0_usize;
    let mut end = |end: &End| match end {
        End::Path(path) if path.get_ident().is_some() => {
            let name = format_ident!("__ID_{count}", span = end.span());
            count = count.saturating_add(1);
            constants.extend(quote!(const #name: #ty = #path;));
            quote!(#name)
        }
        end => end.tokens(),
    };
    let patterns = variants.iter().map(|variant| {
        let ids = &variant.words.id.as_ref()?.value.0;
        let ids = ids.iter().map(|id| {
            let low = end(&id.low);
            let high = id.high.as_ref().map(|high| {
                let high = end(high);
                quote!(..= #high)
            });
            quote!(#low #high)
        });
        Some(quote!(#(#ids)|*))
    });
    let patterns = patterns.collect();
    (constants, patterns)
}
