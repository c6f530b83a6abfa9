//! Tables that have several schemas, told apart by the number of their slots.

use super::{parameters, plain_number};
use crate::check::types::{self, named};
use crate::errors::Errors;
use crate::model::{Model, Variant};

pub(super) fn check(errors: &mut Errors, model: &Model<'_>, variants: &[Variant<'_>]) {
    parameters(errors, model);
    for (index, variant) in variants.iter().enumerate() {
        schema(errors, model, variant, index + 1 == variants.len());
    }
    ascending(errors, variants);
}

fn schema(errors: &mut Errors, model: &Model<'_>, variant: &Variant<'_>, last: bool) {
    let (words, name) = (&variant.words, variant.ident);
    match &words.slots {
        Some(slots) => {
            plain_number(errors, &slots.value, "slots = 3");
        }
        None if !last => errors.add(
            name.span(),
            format!("`{name}` needs the most slots that it has: `slots = 3`; only the last variant can be without"),
        ),
        None => {}
    }
    match variant.ty {
        Some(ty) if named(ty, "u8") => {
            errors.add_at(ty, "a schema is a table; declare a struct with `flatbuffer`");
        }
        Some(_) => types::variant(errors, model, variant),
        None => errors.add(name.span(), format!("`{name}` needs its table: `{name}(Table<'a>)`")),
    }
}

/// The first variant with room for all slots is taken, so each has more than those before.
fn ascending(errors: &mut Errors, variants: &[Variant<'_>]) {
    let mut most: Option<u64> = None;
    for slots in variants.iter().filter_map(|variant| variant.words.slots.as_ref()) {
        let Ok(number) = slots.value.base10_parse::<u64>() else { continue };
        if number > 32_766 {
            errors.add(slots.value.span(), "a vtable has 32766 slots at most");
        } else if let Some(most) = most.filter(|most| *most >= number) {
            errors.add(
                slots.value.span(),
                format!("an earlier variant takes tables of up to {most} slots; order the variants by their `slots`"),
            );
        }
        most = most.max(Some(number));
    }
}
