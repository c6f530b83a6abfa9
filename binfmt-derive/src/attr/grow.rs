//! The direction in which a section grows.

use syn::Ident;

use super::value::{Reading, Value};

/// Downwards, from the end of the section.
pub(crate) struct Down;

impl Value for Down {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
        at.equals()?;
        let direction: Ident = at.input.parse()?;
        if direction == "down" {
            return Ok(Self);
        }
        let message = "values grow upwards by themselves; the other way is `grow = down`";
        Err(syn::Error::new(direction.span(), message))
    }
}
