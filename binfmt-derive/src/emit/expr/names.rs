//! What the names of expressions stand for in generated code.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote};
use syn::{Ident, Type};

use crate::emit::{Emitter, Site, argument, local, unraw};
use crate::expr::Expr;
use crate::model::{Field, Kind, Numeric, is_before, is_entry, is_given, is_group, is_value};

/// The variable that a name of an expression is bound to.
pub(super) fn bound(name: &Ident) -> Ident {
    // The compiler looks for the style of a name where a person wrote it.
    format_ident!("__n_{}", unraw(name), span = Span::call_site().located_at(name.span()))
}

impl Emitter<'_> {
    /// The type of what a name stands for, and whether it is a scalar.
    pub(super) fn type_of(&self, name: &Ident) -> (TokenStream, bool) {
        let scalar = self.is_scalar(name);
        if let Some((_, field)) = self.model.field(name) {
            let ty = match field.kind {
                Kind::Auto(_, ty) if scalar => ty.to_token_stream(),
                Kind::Auto(_, ty) => quote!(__rt::Option<#ty>),
                _ if self.is_opened(name) => field.inner.to_token_stream(),
                _ => field.ty.to_token_stream(),
            };
            return (ty, scalar);
        }
        if self.is_index(name) {
            return (self.wide.to_token_stream(), true);
        }
        if is_before(name) {
            let item = self.entry.get();
            return (quote!(__rt::Option<&#item>), true);
        }
        if is_given(name) {
            return (self.given_type(name), false);
        }
        let mut parameters = self.model.parameters().iter();
        let parameter = parameters.find(|parameter| parameter.name == *name);
        let argument = parameter.map(|parameter| &parameter.ty).or(self.entry.get());
        (self.model.last_item(name).or(argument).to_token_stream(), scalar)
    }

    /// What a name is bound to at a call site: scalars by value, all else by reference.
    pub(super) fn operand(&self, name: &Ident, site: Site) -> TokenStream {
        if self.model.field(name).is_some() {
            let local = local(name);
            return if self.is_scalar(name) || site == Site::Write || self.is_opened(name) {
                quote!(#local)
            } else {
                quote!(&#local)
            };
        }
        if is_group(name) {
            return quote!(__group);
        }
        if is_before(name) {
            return quote!(__before);
        }
        if is_value(name) {
            return if self.is_scalar(name) { quote!(*__this) } else { quote!(__this) };
        }
        if self.model.kept_by(name).is_some() {
            return match (site, self.is_scalar(name)) {
                (Site::Walk, true) => quote!(__tag),
                (Site::Walk, false) => quote!(&__tag),
                (Site::Write, true) => quote!(*__kept),
                (Site::Write, false) => quote!(__kept),
            };
        }
        if is_given(name) {
            return quote!(__given);
        }
        if self.model.last_item(name).is_some() {
            let previous = name.to_string().starts_with("__previous_");
            return match (previous, self.is_scalar(name)) {
                (true, _) => quote!(__previous),
                (false, true) => quote!(*__last),
                (false, false) => quote!(__last),
            };
        }
        if self.is_index(name) {
            return quote!(__entry_index);
        }
        let local = argument(name);
        if self.is_scalar(name) || (name == "it" && self.has_entry()) {
            quote!(#local)
        } else {
            quote!(&#local)
        }
    }

    /// Emits something in which `it` stands for an item of the table of a field with `for_each`.
    pub(crate) fn with_entry<T>(&self, field: &Field<'_>, emit: impl FnOnce() -> T) -> T {
        let parallel = field.parallel.as_ref();
        let entry = parallel.and_then(|parallel| self.model.entry_type(parallel));
        let outer = self.entry.replace(entry);
        let inside = self.inside.replace(parallel.is_some_and(|one| one.inner));
        let emitted = emit();
        self.entry.set(outer);
        self.inside.set(inside);
        emitted
    }

    /// Whether `it` stands for something.
    fn has_entry(&self) -> bool {
        self.entry.get().is_some() || self.inside.get()
    }

    /// Whether an expression uses an item whose type is not seen.
    pub(super) fn is_untyped(&self, expr: &Expr) -> bool {
        self.inside.get() && expr.names().iter().any(|name| *name == "it")
    }

    /// Whether `it` is a number.
    pub(crate) fn entry_is_scalar(&self) -> bool {
        self.entry.get().and_then(crate::model::scalar).is_some()
    }

    /// Whether the name stands for the value inside an `Option`.
    fn is_opened(&self, name: &Ident) -> bool {
        self.opened.borrow().as_ref() == Some(name)
    }

    /// Whether the name stands for the index of an item of a table.
    fn is_index(&self, name: &Ident) -> bool {
        let declared = || self.model.parameters().iter().any(|parameter| parameter.name == *name);
        name == "index" && self.has_entry() && self.model.field(name).is_none() && !declared()
    }

    pub(super) fn is_scalar(&self, name: &Ident) -> bool {
        self.numeric(name).is_some()
    }

    /// Whether the name stands for an integer that may be absent.
    pub(in crate::emit) fn is_integer_inside(&self, name: &Ident) -> bool {
        self.numeric_inside(name).is_some()
    }

    /// The kind of integer that a name stands for which may be absent.
    pub(super) fn numeric_inside(&self, name: &Ident) -> Option<Numeric> {
        let (_, field) = self.model.field(name).filter(|_| !self.is_opened(name))?;
        Some(field.integer_inside()?.scalar()?.numeric)
    }

    /// The kind of number that a name stands for, if it is one.
    pub(super) fn numeric(&self, name: &Ident) -> Option<Numeric> {
        if let Some((_, field)) = self.model.field(name) {
            let there = !field.is_optional() || self.is_opened(name);
            let scalar = field.kind.scalar().filter(|_| there);
            return scalar.map(|scalar| scalar.numeric);
        }
        if self.is_index(name) {
            return Some(Numeric::Unsigned);
        }
        if let Some(entry) = self.entry.get().filter(|_| is_entry(name)) {
            return crate::model::scalar(entry).map(|scalar| scalar.numeric);
        }
        if let Some(item) = self.model.last_item(name) {
            return Kind::of(item).scalar().map(|scalar| scalar.numeric);
        }
        let parameter = self.model.parameters().iter().find(|parameter| parameter.name == *name)?;
        // An array of numbers is no number.
        let plain = Some(&parameter.ty).filter(|ty| matches!(ty, Type::Path(_)))?;
        crate::model::scalar(plain).map(|scalar| scalar.numeric)
    }
}
