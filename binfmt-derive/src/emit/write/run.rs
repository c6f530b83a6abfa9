//! Plain fields that follow one another, written at once.

use proc_macro2::TokenStream;
use quote::quote;

use super::plan::{Plan, mark};
use crate::derived::Point;
use crate::emit::local;
use crate::model::{Field, Kind};
use crate::steps::{PlainKind, What};

/// The most bytes that are written at once; the writer has space for as many.
const MOST: usize = 512;

/// Plain fields that follow one another, collected to be written at once.
#[derive(Default)]
pub(super) struct Run {
    /// What writes the fields before those that are collected.
    written: TokenStream,
    /// What must be known of the places of fields.
    places: TokenStream,
    holes: TokenStream,
    stores: TokenStream,
    len: usize,
    last: usize,
}

impl Run {
    /// Takes a field that is plain; says whether it did.
    pub(super) fn take(
        &mut self,
        plan: &mut Plan<'_, '_>,
        index: usize,
        field: &Field<'_>,
    ) -> bool {
        let emitter = plan.emitter;
        let step = emitter.lowered.of(index).first();
        let Some(What::Plain(shape)) = step.map(|step| &step.what) else { return false };
        let shape = shape.kind;
        if self.len.saturating_add(shape.size()) > MOST {
            self.written = self.write(plan);
        }
        let (rt, order, name) = (&emitter.rt, emitter.order(field), local(&field.name));
        let (at, size) = (self.len, shape.size());
        self.last = index;
        self.places.extend(plan.note_at(index, field, at));
        if plan.is_marked(index) {
            let (from, to) = (mark(field, "from"), mark(field, "to"));
            let end = at.saturating_add(size);
            self.places.extend(quote! {
                #from = __out.pos_ahead(#at);
                #to = __out.pos_ahead(#end);
            });
        }
        self.stores.extend(match shape {
            PlainKind::Number(..) if plan.ready.is_hole(index) => {
                let (hole, known) = (mark(field, "hole"), mark(field, "known"));
                let held = match field.kind {
                    Kind::Auto(_, ty) => quote!(<#ty as ::core::default::Default>::default()),
                    _ => quote!(#name),
                };
                self.holes.extend(quote! {
                    let (#hole, #known) = __out.hole_in_run(#at, #held, #order);
                });
                quote!(#rt::Plain::store(#known, __run, #at, #order);)
            }
            PlainKind::Number(..) => {
                let as_held = plan.writes_as_held(index);
                let value = if as_held { plan.emitter.held(&field.member) } else { quote!(#name) };
                quote!(#rt::Plain::store(#value, __run, #at, #order);)
            }
            PlainKind::Bytes(_) => quote!(#rt::write::store_bytes(#name, __run, #at);),
        });
        self.len = at.saturating_add(size);
        true
    }

    /// Writes what has been collected.
    pub(super) fn write(&mut self, plan: &mut Plan<'_, '_>) -> TokenStream {
        let Self { mut written, places, holes, stores, len, last } = std::mem::take(self);
        if len > 0 {
            let known = plan.up_to(Point::next(last));
            written.extend(quote! {
                #places
                #known
                #holes
                if let __rt::Some(__run) = __out.take::<#len>()? {
                    #stores
                }
            });
        }
        written
    }
}
