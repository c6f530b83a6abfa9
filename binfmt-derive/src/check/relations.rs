//! What the registry says of a word and those beside it, and of a word and the type of its field.

use syn::{Ident, Type};

use crate::attr::{Row, Sort, Words};
use crate::errors::Errors;
use crate::model::{
    Field, Kind, Numeric, encoded, is_byte, is_lazy, parts, scalar, takes_arguments,
};

/// Checks one word of a type or a variant, or of a `field`; says the first that is wrong with it.
pub(super) fn check(
    errors: &mut Errors,
    words: &Words,
    (word, row): (&Ident, &Row),
    field: Option<&Field<'_>>,
) {
    let excluded = words.rows().find_map(|(other, by)| {
        let mut reasons = by.excludes.iter();
        let (_, why) = reasons.find(|(names, _)| names.iter().any(|name| word == name))?;
        (word != other).then_some(*why)
    });
    let lone = row.needs.filter(|(names, _)| names.iter().all(|name| words.given(name).is_none()));
    // Functions of the user take any type in bytes of a known number.
    let by_hand = words.with.is_some() || words.map.is_some();
    let fitted = by_hand && (row.name == "len" || row.name == "args");
    let misfit = field.filter(|_| !fitted).and_then(|field| {
        row.fits.filter(|(sorts, _)| !sorts.iter().any(|sort| is_of_sort(field, *sort)))
    });
    let misfit = misfit.map(|(_, why)| if is_one_of_each(field) { ONE_OF_EACH } else { why });
    let why = excluded.or(misfit).or(lone.map(|(_, why)| why));
    if let Some(why) = why {
        errors.add(word.span(), format!("`{word}` {why}"));
    }
}

/// What is wrong with the size of values that have one each.
const ONE_OF_EACH: &str = "has no meaning here: every item of the table has one value of this type, which has a fixed size; for several a `Vec<Vec<u8>>` has bytes for each, and a `Vec<Vec<u16>>` numbers";

/// Whether a number is the value for one item of a table.
fn is_one_of_each(field: Option<&Field<'_>>) -> bool {
    field.is_some_and(|field| field.is_element && field.kind.scalar().is_some())
}

fn is_of_sort(field: &Field<'_>, sort: Sort) -> bool {
    match sort {
        Sort::Strings => field.kind.is_bytes(),
        Sort::Items => field.kind.is_sequence(),
        Sort::Nested => matches!(field.kind, Kind::Nested),
        Sort::Declared => match field.kind {
            Kind::Nested => is_declared(field.inner),
            Kind::Seq(item) | Kind::Vec(item) | Kind::Array(item) => is_declared(item),
            _ => false,
        },
        Sort::Lazy => is_lazy(field.inner),
        Sort::Encoded => match field.kind {
            Kind::Nested => encoded(field.inner).is_some(),
            Kind::Seq(item) | Kind::Vec(item) | Kind::Array(item) => encoded(item).is_some(),
            _ => false,
        },
        Sort::Blob => takes_arguments(field.inner, "Blob"),
        Sort::FlatBuffer => takes_arguments(field.inner, "FlatBuffer"),
        Sort::Unsigned => field
            .kind
            .scalar()
            .is_some_and(|scalar| scalar.numeric == Numeric::Unsigned && !scalar.variable),
        Sort::Element => field.is_element,
        Sort::ByteArray => matches!(field.kind, Kind::Array(item) if is_byte(item)),
    }
}

/// Whether a type, or what is in its box, can have arguments.
fn is_declared(ty: &Type) -> bool {
    match (ty, parts(ty).as_deref()) {
        (Type::Tuple(_), _) => false,
        (_, Some([inner])) => is_declared(inner),
        _ => scalar(ty).is_none(),
    }
}
