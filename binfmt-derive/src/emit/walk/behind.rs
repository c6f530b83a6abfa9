//! Padding behind the values of a field with `for_each`.

use proc_macro2::TokenStream;
use quote::quote;

use crate::attr::Fill;
use crate::emit::Emitter;
use crate::expr::Expr;
use crate::model::Field;
use crate::steps::{Step, What};

/// The padding behind each value, where it is the same for all of them: who visits the values takes it.
pub(super) fn of_each(
    emitter: &Emitter<'_>,
    index: usize,
    element: &Field<'_>,
) -> Option<TokenStream> {
    let place = emitter.lowered.place(index).filter(|_| element.is_element)?;
    if place.space.section().is_some() || place.shared || element.words.level.is_some() {
        return None;
    }
    let mut behind = emitter.lowered.of(index).iter();
    behind.find(|step| matches!(step.what, What::Leave))?;
    let mut pads = behind
        .filter(|step| matches!(step.what, What::Align { .. } | What::Pad { .. } | What::Rest(_)));
    let (
        Some(Step {
            what: What::Align { word: "align_after", to: Expr::Int(to, _), fill }, ..
        }),
        None,
    ) = (pads.next(), pads.next())
    else {
        return None;
    };
    if matches!(fill.0, Some(Fill::Bytes(_))) {
        return None;
    }
    let rt = &emitter.rt;
    Some(quote!(#rt::parallel::Behind { to: #to, start: __start, fill: #fill }))
}
