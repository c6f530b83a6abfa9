//! Fields that are no numbers and that the writer computes as wholes, before anything else.

use proc_macro2::TokenStream;
use quote::quote;

use super::measures::if_present;
use crate::emit::expr::at_type;
use crate::emit::{Emitter, Site, local, text};

/// Computes enums, bytes and texts from the tags of other fields, and what functions give.
pub(super) fn computed(emitter: &Emitter<'_>) -> TokenStream {
    let rt = &emitter.rt;
    let fields = emitter.model.fields().iter();
    let computed = fields.filter_map(|field| {
        let (_, of) = emitter.model.field(field.named_tag()?)?;
        let (name, ty, label) = (local(&field.name), field.ty, text(&field.label));
        let tag = at_type(of, if_present(of, &quote!(#rt::Tagged::tag(__value))));
        Some(quote! {
            let #name: &#ty = &#rt::named::of_tag(__out, #label, #name, #tag)?;
        })
    });
    let fields = emitter.model.fields().iter();
    let bytes = fields.filter_map(|field| {
        let (_, of) = emitter.model.field(field.tag_of_bytes()?)?;
        let (name, label) = (local(&field.name), text(&field.label));
        let of = local(&of.name);
        Some(quote! {
            let #name = &#rt::union::tag_as(__out, #label, #name, #rt::TaggedBy::tag_by(#of))?;
        })
    });
    let fields = emitter.model.fields().iter();
    let made = fields.filter_map(|field| {
        let made = emitter.made(field, field.made_by()?, Site::Write);
        let (name, label) = (local(&field.name), text(&field.label));
        Some(quote!(let #name = &#rt::write::made(__out, #label, #name, #made)?;))
    });
    computed.chain(bytes).chain(made).collect()
}
