//! Where a sequence ends.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::{Emitter, Site};
use crate::expr::Expr;
use crate::model::{Field, Kind};
use crate::steps::{Ends, Items, Size, Value, What};

/// Whether an item is the last one, as a closure.
pub(crate) fn until_last(emitter: &Emitter<'_>, until: &Expr, site: Site) -> TokenStream {
    let call = emitter.condition("until", until, site);
    quote!(|__last| #call == __rt::Some(true))
}

/// Where a sequence ends.
pub(super) fn until(
    emitter: &Emitter<'_>,
    index: usize,
    field: &Field<'_>,
    ends: Ends<'_>,
) -> TokenStream {
    let rt = &emitter.rt;
    let (call, claim) = match ends {
        Ends::Prefix => (quote!(__rt::Some(__prefix)), quote!(__claim)),
        Ends::Count(count) => {
            (emitter.size("count", count, Site::Walk), emitter.claim(count, index))
        }
        Ends::Remaining(least) => {
            let least = remaining(emitter, least);
            return quote!(#rt::Until::Remaining(#least));
        }
        Ends::Last(_) | Ends::Before => return TokenStream::new(),
    };
    let (Kind::Seq(item) | Kind::Vec(item)) = field.kind else { return TokenStream::new() };
    quote! {{
        let __count = #rt::walk::size(__obs, "count", #call, #claim)?;
        #rt::walk::count::<#item, __O>(__cur, __obs, __count, #claim)?;
        #rt::Until::Count(__count)
    }}
}

/// How a sequence ends with its last item, or with too few bytes for one more.
pub(crate) fn last_or(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    match &field.words.least {
        Some(least) => {
            let least = remaining(emitter, Some(&least.value));
            quote!(LastOr(#least))
        }
        None => quote!(Last),
    }
}

/// How many bytes must be left for one more item.
pub(crate) fn remaining(emitter: &Emitter<'_>, least: Option<&Expr>) -> TokenStream {
    let rt = &emitter.rt;
    match least {
        Some(Expr::Int(value, _)) => {
            let literal = proc_macro2::Literal::u64_unsuffixed(*value);
            quote!(#literal)
        }
        Some(Expr::Path(path)) => quote!(#rt::ops::to_len(#path)),
        _ => quote!(1),
    }
}

/// A field that takes what is left of its region ends where fewer bytes than this are left.
pub(crate) fn least_left(
    emitter: &Emitter<'_>,
    index: usize,
    field: &Field<'_>,
) -> Option<TokenStream> {
    let words = &field.words;
    let is_codec = words.with.is_some() || words.map.is_some();
    let sized = words.len.is_some() || words.prefix.is_some() || is_codec;
    if sized || field.has_nul() {
        return None;
    }
    let value = emitter.lowered.of(index).iter().find_map(|step| match &step.what {
        What::Value(value) => Some(value),
        _ => None,
    });
    match value {
        Some(Value::Items(Items { ends: Ends::Remaining(least), .. })) => {
            Some(remaining(emitter, *least))
        }
        Some(Value::Bytes(bytes)) if matches!(bytes.size, Size::Rest) && bytes.stop.is_none() => {
            Some(quote!(1))
        }
        // What is decoded, lazy or a buffer is as long as its region.
        _ => words.until_end.is_some().then(|| quote!(1)),
    }
}
