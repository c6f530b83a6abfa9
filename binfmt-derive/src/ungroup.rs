//! What a `macro_rules!` was given, without the invisible groups that this comes in.

use proc_macro2::{Delimiter, TokenStream};
use syn::parse::ParseStream;
use syn::{Data, DeriveInput, Expr, GenericArgument, PathArguments, Type};

/// Takes the groups out of the types of all fields.
pub(crate) fn ungroup(input: &mut DeriveInput) {
    match &mut input.data {
        Data::Struct(data) => data.fields.iter_mut().for_each(|field| ty(&mut field.ty)),
        Data::Enum(data) => {
            let fields = data.variants.iter_mut().flat_map(|variant| &mut variant.fields);
            fields.for_each(|field| ty(&mut field.ty));
        }
        Data::Union(_) => {}
    }
}

/// A type in a word.
pub(crate) fn parsed(input: ParseStream<'_>) -> syn::Result<Type> {
    let mut own = input.parse()?;
    ty(&mut own);
    Ok(own)
}

/// An expression of Rust in a word.
pub(crate) fn expression(input: ParseStream<'_>) -> syn::Result<Expr> {
    let mut own = input.parse()?;
    while let Expr::Group(group) = own {
        own = *group.expr;
    }
    Ok(own)
}

/// What stands in an invisible group, if the next thing is one.
pub(crate) fn group(input: ParseStream<'_>) -> Option<TokenStream> {
    let (inner, ..) = input.cursor().group(Delimiter::None)?;
    Some(inner.token_stream())
}

fn ty(own: &mut Type) {
    while let Type::Group(group) = own {
        *own = (*group.elem).clone();
    }
    match own {
        Type::Array(array) => ty(&mut array.elem),
        Type::Reference(reference) => ty(&mut reference.elem),
        Type::Slice(slice) => ty(&mut slice.elem),
        Type::Tuple(tuple) => tuple.elems.iter_mut().for_each(ty),
        Type::Path(path) => {
            for segment in &mut path.path.segments {
                if let PathArguments::AngleBracketed(args) = &mut segment.arguments {
                    args.args.iter_mut().for_each(argument);
                }
            }
        }
        _ => {}
    }
}

fn argument(own: &mut GenericArgument) {
    if let GenericArgument::Type(own) = own {
        ty(own);
    }
}
