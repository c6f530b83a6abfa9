//! What errors name where a size, a count or a place is wrong: the number that it comes from.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Ident, Member};

use crate::emit::{Emitter, Site, member_names};
use crate::expr::{Expr, Measure};

impl Emitter<'_> {
    /// The number that an expression takes its own from, for errors: the field itself if that is a constant. Of a
    /// branch that is the one of the branch that is taken.
    pub(super) fn claim(&self, expr: &Expr, own: usize) -> TokenStream {
        let others = |expr: &Expr| !self.is_own_claim(expr, own);
        match expr {
            Expr::If(condition, yes, no) if others(yes) || others(no) => {
                let taken = self.condition("if", condition, Site::Walk);
                let [yes, no] = [yes, no]
                    .map(|branch| self.claim(if others(branch) { branch } else { condition }, own));
                // Who records nothing names nothing.
                quote!(if __O::RECORD && #taken == __rt::Some(true) { #yes } else { #no })
            }
            _ => self.claim_of(expr, own),
        }
    }

    /// The first number that the expression names.
    fn claim_of(&self, expr: &Expr, own: usize) -> TokenStream {
        let rt = &self.rt;
        let parallel = self.model.fields().get(own).and_then(|field| field.parallel.as_ref());
        let parts = expr.parts();
        let of_item = parts.iter().find(|(name, _)| *name == "it").filter(|_| parallel.is_some());
        if let Some((_, members)) = of_item {
            // What lies in a table inside a field has a longer way.
            let members =
                if parallel.is_some_and(|table| table.inner) { &[] } else { &members[..] };
            let part = part_of(members);
            return quote!(__entry.item.claim #part);
        }
        let given = parts.iter().find_map(|(name, members)| {
            Some((self.model.field(name)?.0, members)).filter(|(index, _)| *index != own)
        });
        let Some((field, members)) = given else {
            let name = self.field_in_path(own);
            let rest = expr.measures().iter().any(|(measure, _)| *measure == Measure::Remaining);
            let rest = rest.then(|| quote!(.of_rest(__cur)));
            return quote!(__spans.own(__cur, #name) #rest);
        };
        if self.model.is_transparent() {
            let name = self.field_in_path(field);
            return quote!(#rt::walk::Claim::of(Self::__WIRE, #name, __spans.get(#field)));
        }
        let part = part_of(members);
        // The path goes on to the value for an item.
        let beside = parallel.map(|_| quote!(.beside(&__entry.item.claim)));
        quote!(__spans.claim(#field) #part #beside)
    }

    /// Whether an expression names neither the item nor another field.
    pub(super) fn is_own_claim(&self, expr: &Expr, own: usize) -> bool {
        let others = |name: &&Ident| self.model.field(name).is_some_and(|(index, _)| index != own);
        let names = expr.names();
        !names.iter().any(|name| *name == "it" || others(name))
    }
}

/// Names the part of a value that a claim is about, if it is no number itself.
fn part_of(members: &[&Member]) -> Option<TokenStream> {
    let names = member_names(members);
    (!members.is_empty()).then(|| quote!(.part(&[#(#names),*])))
}
