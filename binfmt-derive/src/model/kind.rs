//! What a field type is, going by its name.

use quote::ToTokens as _;
use syn::{GenericArgument, PathArguments, Type, TypeArray};

/// What a field type is, as far as it can be seen.
#[derive(Clone, Copy)]
pub(crate) enum Kind<'s> {
    Scalar(Scalar),
    Auto(Scalar, &'s Type),
    Bytes { owned: bool },
    Text { owned: bool },
    Utf16,
    Array(&'s Type),
    Seq(&'s Type),
    Vec(&'s Type),
    Nested,
}

/// A number, a float or a truth value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Scalar {
    /// In bytes; the smallest one of a number of variable length.
    pub(crate) size: u8,
    pub(crate) numeric: Numeric,
    /// Whether the size depends on the number.
    pub(crate) variable: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numeric {
    Unsigned,
    Signed,
    Float,
    Bool,
}

impl Scalar {
    /// The scalar type of that name, one of Rust or one of the runtime.
    pub(crate) fn named(name: &str) -> Option<Self> {
        use Numeric::{Bool, Float, Signed, Unsigned};
        let (size, numeric) = match name {
            "u8" => (1, Unsigned),
            "u16" => (2, Unsigned),
            "u32" => (4, Unsigned),
            "u64" => (8, Unsigned),
            "i8" => (1, Signed),
            "i16" => (2, Signed),
            "i32" => (4, Signed),
            "i64" => (8, Signed),
            "f32" => (4, Float),
            "f64" => (8, Float),
            "bool" => (1, Bool),
            "U24" => (3, Unsigned),
            "U40" => (5, Unsigned),
            "U48" => (6, Unsigned),
            "U56" => (7, Unsigned),
            "I24" => (3, Signed),
            "I40" => (5, Signed),
            "I48" => (6, Signed),
            "I56" => (7, Signed),
            _ => return None,
        };
        Some(Self { size, numeric, variable: false })
    }

    /// The integer type of Rust of that name.
    pub(crate) fn of_rust(name: &str) -> Option<Self> {
        Self::named(name).filter(|scalar| scalar.is_rust())
    }

    /// Whether it is an integer type of Rust.
    pub(crate) fn is_rust(self) -> bool {
        self.is_int() && self.size.is_power_of_two() && !self.variable
    }

    /// Whether it has a fixed size, and no more bits than these.
    pub(crate) fn has_bits_within(self, count: u32) -> bool {
        !self.variable && u32::from(self.size) * 8 <= count
    }

    pub(crate) fn is_int(self) -> bool {
        matches!(self.numeric, Numeric::Unsigned | Numeric::Signed)
    }
}

impl<'s> Kind<'s> {
    /// Whether it is a number that may be below 0.
    pub(crate) fn is_signed(self) -> bool {
        self.scalar().is_some_and(|scalar| scalar.numeric == Numeric::Signed)
    }

    /// Whether values can be copied, as far as the name of the type says so.
    pub(crate) fn is_copied(self) -> bool {
        !matches!(self, Self::Vec(_) | Self::Bytes { owned: true } | Self::Text { owned: true })
    }

    /// What `ty` is, going by its name alone.
    pub(crate) fn of(ty: &'s Type) -> Self {
        match ty {
            Type::Reference(reference) => match &*reference.elem {
                Type::Slice(slice) if is_named(&slice.elem, "u8") => Self::Bytes { owned: false },
                elem if is_named(elem, "str") => Self::Text { owned: false },
                _ => Self::Nested,
            },
            Type::Array(array) => Self::Array(&array.elem),
            Type::Path(path) => {
                let Some(segment) = path.path.segments.last() else { return Self::Nested };
                let name = segment.ident.to_string();
                let arg = type_argument(&segment.arguments);
                match (name.as_str(), arg) {
                    ("Auto", Some(arg)) => match (arg, scalar(arg)) {
                        (Type::Path(_), Some(scalar)) => Self::Auto(scalar, arg),
                        _ => Self::Nested,
                    },
                    ("Seq" | "LinkedSeq", Some(arg)) => Self::Seq(arg),
                    ("Vec", Some(arg)) if is_named(arg, "u8") => Self::Bytes { owned: true },
                    ("Vec", Some(arg)) => Self::Vec(arg),
                    ("Cow", Some(Type::Slice(slice))) if is_named(&slice.elem, "u8") => {
                        Self::Bytes { owned: true }
                    }
                    ("Cow", Some(arg)) if is_named(arg, "str") => Self::Text { owned: true },
                    ("Utf16", None) if !segment.arguments.is_none() => Self::Utf16,
                    ("String", None) => Self::Text { owned: true },
                    _ => scalar(ty).map_or(Self::Nested, Self::Scalar),
                }
            }
            _ => Self::Nested,
        }
    }

    /// The scalar that a plain or derived integer field stores.
    pub(crate) fn scalar(self) -> Option<Scalar> {
        match self {
            Self::Scalar(scalar) | Self::Auto(scalar, _) => Some(scalar),
            _ => None,
        }
    }

    pub(crate) fn is_sequence(self) -> bool {
        matches!(self, Self::Seq(_) | Self::Vec(_))
    }

    pub(crate) fn is_bytes(self) -> bool {
        matches!(self, Self::Bytes { .. } | Self::Text { .. } | Self::Utf16)
    }
}

/// The scalar that `ty` names, looking into arrays.
pub(crate) fn scalar(ty: &Type) -> Option<Scalar> {
    match ty {
        Type::Array(array) => scalar(&array.elem),
        Type::Path(path) => {
            let segment = path.path.segments.last()?;
            let name = segment.ident.to_string();
            match type_argument(&segment.arguments) {
                None if segment.arguments.is_none() => Scalar::named(&name),
                Some(_) if name == "Leb128" || name == "Coded" => {
                    let Type::Path(number) = coded_number(&name, &segment.arguments)? else {
                        return None;
                    };
                    let number = Scalar::of_rust(&number.path.get_ident()?.to_string())?;
                    Some(Scalar { size: 1, variable: true, ..number })
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// The number of a type with an encoding of its own: `u32` of `Leb128<u32>` and of `Coded<Vlq, u32>`.
fn coded_number<'t>(name: &str, arguments: &'t PathArguments) -> Option<&'t Type> {
    let PathArguments::AngleBracketed(list) = arguments else { return None };
    let mut types = list.args.iter().filter_map(|arg| match arg {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    types.nth(usize::from(name == "Coded"))
}

/// The number in a type with an encoding of its own, or the type itself.
pub(crate) fn number_type(stored: &Type) -> &Type {
    let Type::Path(path) = stored else { return stored };
    let number = path
        .path
        .segments
        .last()
        .and_then(|segment| coded_number(&segment.ident.to_string(), &segment.arguments));
    number.unwrap_or(stored)
}

/// Whether items are bytes, so that an array of them is one run.
pub(crate) fn is_byte(item: &Type) -> bool {
    is_named(item, "u8")
}

/// How many bytes an array of them has, where a literal says so.
pub(crate) fn array_of_bytes(ty: &Type) -> Option<usize> {
    let Type::Array(array) = ty else { return None };
    array_len(array).filter(|_| is_byte(&array.elem))
}

/// How many items an array has, where a literal says so.
pub(crate) fn array_len(array: &TypeArray) -> Option<usize> {
    let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(len), .. }) = &array.len else {
        return None;
    };
    len.base10_parse().ok()
}

/// Whether `ty` is the type of that one name.
fn is_named(ty: &Type, name: &str) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident(name))
}

/// The first type between the angle brackets of a path.
pub(crate) fn type_argument(arguments: &PathArguments) -> Option<&Type> {
    let PathArguments::AngleBracketed(list) = arguments else { return None };
    list.args.iter().find_map(|arg| match arg {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// What a type holds that is read as it is: the values of a tuple, what is in a box or is lazy.
pub(crate) fn parts(ty: &Type) -> Option<Vec<&Type>> {
    match ty {
        Type::Tuple(tuple) => Some(tuple.elems.iter().collect()),
        Type::Path(path) => {
            let segment = path.path.segments.last()?;
            if let Some((_, inner)) = encoded(ty) {
                return Some(vec![inner]);
            }
            let holds = segment.ident == "Box" || segment.ident == "Lazy";
            type_argument(&segment.arguments).filter(|_| holds).map(|inner| vec![inner])
        }
        _ => None,
    }
}

/// The codec and the type of a value in coded bytes.
pub(crate) fn encoded(ty: &Type) -> Option<(&Type, &Type)> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "Encoded")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    let mut types = arguments.args.iter().filter_map(|arg| match arg {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    types.next().zip(types.next())
}

/// Whether a value is read when it is asked for.
pub(crate) fn is_lazy(ty: &Type) -> bool {
    takes_arguments(ty, "Lazy")
}

/// Whether a type of the runtime is meant, which has a lifetime or a type in angle brackets; without
/// these it is one of the user by the same name.
pub(crate) fn takes_arguments(ty: &Type, name: &str) -> bool {
    let Type::Path(path) = ty else { return false };
    let last = path.path.segments.last();
    last.is_some_and(|last| last.ident == name && !last.arguments.is_none())
}

/// The widest number in a type, looking into arrays, tuples and boxes.
pub(crate) fn widest(ty: &Type) -> Option<Scalar> {
    match (scalar(ty), ty) {
        (Some(scalar), _) => Some(scalar),
        (None, Type::Array(array)) => widest(&array.elem),
        (None, ty) => parts(ty)?.into_iter().filter_map(widest).max_by_key(|scalar| scalar.size),
    }
}

/// A type as its author would write it.
pub(crate) fn type_text(ty: &Type) -> String {
    let text = ty.to_token_stream().to_string();
    let mut out = String::new();
    for c in text.chars() {
        let tight = matches!(c, '>' | ',' | ';' | ']' | ')') || (c == '<' && out.ends_with(' '));
        if tight && out.ends_with(' ') {
            out.pop();
        }
        if !(c == ' ' && out.ends_with(['<', '&', '[', '(', ':'])) {
            out.push(c);
        }
    }
    out.replace(" ::", "::").replace("<' ", "<'")
}
