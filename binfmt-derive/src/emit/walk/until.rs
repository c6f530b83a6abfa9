//! Where a sequence ends.

use proc_macro2::TokenStream;
use quote::quote;

use crate::attr::Word;
use crate::emit::expr::Wanted;
use crate::emit::{Emitter, Site};
use crate::expr::Expr;
use crate::model::{Field, Kind};

/// Whether an item is the last one, as a closure.
pub(crate) fn until_last(emitter: &Emitter<'_>, field: &Field<'_>, site: Site) -> TokenStream {
    let Some(until) = &field.words.until else { return TokenStream::new() };
    let function = emitter.function("until", &until.value, Wanted::Truth);
    let call = emitter.call(&function, site);
    quote!(|__last| #call == ::core::option::Option::Some(true))
}

/// Where a sequence ends.
pub(super) fn until(emitter: &Emitter<'_>, field: &Field<'_>) -> TokenStream {
    let count = match &field.words.count {
        _ if field.words.prefix.is_some() => {
            Some((quote!(::core::option::Option::Some(__prefix)), quote!(__claim)))
        }
        Some(count) => {
            let function = emitter.function("count", &count.value, Wanted::Size);
            Some((emitter.call(&function, Site::Walk), emitter.claim(&count.value, field)))
        }
        None => None,
    };
    if let Some((call, claim)) = count {
        let (Kind::Seq(item) | Kind::Vec(item)) = field.kind else { return TokenStream::new() };
        let rt = &emitter.rt;
        return quote! {{
            let __count = #rt::walk::size(__obs, "count", #call, #claim)?;
            #rt::walk::count::<#item, __O>(__cur, __obs, __count, #claim)?;
            #rt::Until::Count(__count)
        }};
    }
    let rt = &emitter.rt;
    match &field.words.until {
        Some(Word { value: Expr::Binary(_, _, least), .. }) => {
            let least = match &**least {
                Expr::Int(value, _) => {
                    let literal = proc_macro2::Literal::u64_unsuffixed(*value);
                    quote!(#literal)
                }
                Expr::Path(path) => quote!(#rt::ops::to_len(#path)),
                _ => quote!(1),
            };
            quote!(#rt::Until::Remaining(#least))
        }
        _ => quote!(#rt::Until::Remaining(1)),
    }
}
