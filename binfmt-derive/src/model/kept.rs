//! `_0`, the tag or the magic that a variant keeps, in what the variant passes on.

use quote::format_ident;
use syn::{Ident, Type};

use super::{Body, Model, Variant};
use crate::attr::Args;
use crate::parts::is_passed;

const NAME: &str = "_0";

/// Gives `_0` a name that tells whose it is, and that no argument has.
pub(super) fn name(variant: &mut Variant<'_>) {
    let (ident, Some(_)) = (variant.ident, variant.kept.filter(|kept| is_passed(kept))) else {
        return;
    };
    let Some(Args::Passed(list)) = variant.words.args.as_mut().map(|args| &mut args.value) else {
        return;
    };
    for (_, expr) in list {
        expr.rename(&mut |name| {
            if name == NAME {
                *name = format_ident!("__kept_{ident}", span = name.span());
            }
        });
    }
}

impl Model<'_> {
    /// The type of what the variant keeps that such a name tells.
    pub(crate) fn kept_by(&self, name: &Ident) -> Option<&Type> {
        let name = name.to_string();
        let (of, Body::Union(variants)) = (name.strip_prefix("__kept_")?, &self.body) else {
            return None;
        };
        variants.iter().find(|variant| *variant.ident == of)?.kept
    }
}
