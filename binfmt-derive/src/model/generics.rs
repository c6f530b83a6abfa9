//! Type parameters of a declaration.

use syn::{Ident, Type};

use super::{Model, scalar};

/// The type parameter of the declaration that a type is.
pub(crate) fn parameter<'t>(model: &Model<'_>, ty: &'t Type) -> Option<&'t Ident> {
    let Type::Path(path) = ty else { return None };
    let mut parameters = model.input.generics.type_params();
    path.path.get_ident().filter(|name| parameters.any(|param| param.ident == **name))
}

/// Whether a type is a type parameter of the declaration.
pub(crate) fn is_parameter(model: &Model<'_>, ty: &Type) -> bool {
    parameter(model, ty).is_some()
}

/// Whether the value of a variant has the byte order of the enum: it is a number, an array of
/// numbers, what stands for a type parameter, or a tuple with some of these.
pub(crate) fn takes_order(model: &Model<'_>, ty: &Type) -> bool {
    match ty {
        Type::Tuple(tuple) => tuple.elems.iter().any(|part| takes_order(model, part)),
        _ => scalar(ty).is_some() || is_parameter(model, ty),
    }
}
