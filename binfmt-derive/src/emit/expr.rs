//! Expressions: small functions over the names they mention, called by every product.

mod ops;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::{Emitter, Site, argument, local, unraw};
use crate::expr::{Expr, Measure, Op};
use crate::model::{Field, Kind, Numeric};

use ops::{arithmetic, comparison};

/// The local variable and parameter that holds a measured length or count.
pub(crate) fn measured(measure: Measure, field: &Ident) -> Ident {
    match measure {
        Measure::Len => format_ident!("__len_{}", unraw(field)),
        Measure::Count => format_ident!("__count_{}", unraw(field)),
        Measure::Start => format_ident!("__start_{}", unraw(field)),
        Measure::End => format_ident!("__end_{}", unraw(field)),
        Measure::Remaining => format_ident!("__remaining_{}", unraw(field)),
        Measure::Tag => format_ident!("__tag_{}", unraw(field)),
    }
}

/// What an expression is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// A size, count or offset: `Option<u64>`.
    Size,
    /// A condition: `Option<bool>`, where `None` is an overflow on the way.
    Truth,
    /// A byte order: `Option<Order>`.
    Order,
}

/// An expression that has become a function.
pub(crate) struct Function<'e> {
    /// `None` if it is as short as its call.
    name: Option<Ident>,
    expr: &'e Expr,
}

impl Emitter<'_> {
    /// The function of an expression, emitted when it is first asked for.
    pub(crate) fn function<'e>(&self, word: &str, expr: &'e Expr, wanted: Wanted) -> Function<'e> {
        let key = std::ptr::from_ref(expr);
        if let Some(name) = self.emitted.borrow().get(&key) {
            return Function { name: Some(name.clone()), expr };
        }
        if wanted == Wanted::Size && self.is_short(expr) {
            return Function { name: None, expr };
        }
        let name = format_ident!("__bin_{}_{}", self.functions.borrow().len(), word);
        self.emitted.borrow_mut().insert(key, name.clone());
        let signed = |name: &Ident| self.numeric(name) == Some(Numeric::Signed);
        self.signed.set(expr.names().into_iter().any(signed));
        let rt = &self.rt;
        let parameters = self.parameters(expr);
        let (ty, body) = match wanted {
            Wanted::Size => {
                let value = self.number(expr);
                (quote!(u64), quote!(#rt::ops::to_size(#value)))
            }
            Wanted::Truth => {
                let truth = self.truth(expr);
                (quote!(bool), quote!(#rt::Some(#truth)))
            }
            Wanted::Order => {
                let order = self.byte_order(expr);
                (quote!(#rt::Order), quote!(#rt::Some(#order)))
            }
        };
        self.functions.borrow_mut().push(quote! {
            #[inline(always)]
            fn #name(#(#parameters),*) -> #rt::Option<#ty> {
                #body
            }
        });
        Function { name: Some(name), expr }
    }

    /// Whether an expression is a number as it stands.
    fn is_short(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Int(..) | Expr::Measure(..) => true,
            Expr::Name(name) => self.numeric(name) == Some(Numeric::Unsigned),
            _ => false,
        }
    }

    /// A call of an expression's function.
    pub(crate) fn call(&self, function: &Function<'_>, site: Site) -> TokenStream {
        let rt = &self.rt;
        let name = match (&function.name, function.expr) {
            (Some(name), _) => name,
            (None, Expr::Int(value, _)) => return quote!(#rt::Some(#value)),
            (None, Expr::Measure(measure, field)) => {
                let local = measured(*measure, field);
                return quote!(#rt::Some(#local));
            }
            (None, Expr::Name(name)) => {
                let operand = self.operand(name, site);
                return quote!(#rt::ops::size(#operand));
            }
            (None, _) => return quote!(#rt::None),
        };
        let names = function.expr.names().into_iter().map(|name| self.operand(name, site));
        let measures = function.expr.measures().into_iter().map(|(measure, field)| {
            let local = measured(measure, field);
            quote!(#local)
        });
        quote!(Self::#name(#(#names,)* #(#measures,)*))
    }

    /// A call of an expression's function by a reader.
    pub(crate) fn walk_call(&self, word: &str, expr: &Expr, wanted: Wanted) -> TokenStream {
        self.call(&self.function(word, expr, wanted), Site::Walk)
    }

    fn parameters(&self, expr: &Expr) -> Vec<TokenStream> {
        let names = expr.names().into_iter().map(|name| {
            if let Some((_, field)) = self.model.field(name) {
                let ty = if self.is_opened(name) { field.inner } else { field.ty };
                return match (field.kind, field.is_optional() && !self.is_opened(name)) {
                    (Kind::Scalar(_), false) => quote!(#name: #ty),
                    (Kind::Auto(_, ty), false) => quote!(#name: #ty),
                    _ => quote!(#name: &#ty),
                };
            }
            if let Some(item) = self.model.last_item(name) {
                return if self.is_scalar(name) {
                    quote!(#name: #item)
                } else {
                    quote!(#name: &#item)
                };
            }
            let parameter =
                self.model.parameters().iter().find(|parameter| parameter.name == *name);
            let ty = parameter.map(|parameter| &parameter.ty).or(self.row.get());
            if self.is_scalar(name) { quote!(#name: #ty) } else { quote!(#name: &#ty) }
        });
        let measures = expr.measures().into_iter().map(|(measure, field)| {
            let name = measured(measure, field);
            quote!(#name: u64)
        });
        names.chain(measures).collect()
    }

    /// What a name is bound to at a call site: scalars by value, all else by reference.
    fn operand(&self, name: &Ident, site: Site) -> TokenStream {
        if self.model.field(name).is_some() {
            let local = local(name);
            return if self.is_scalar(name) || site == Site::Write || self.is_opened(name) {
                quote!(#local)
            } else {
                quote!(&#local)
            };
        }
        if self.model.last_item(name).is_some() {
            return if self.is_scalar(name) { quote!(*__last) } else { quote!(__last) };
        }
        let local = argument(name);
        if self.is_scalar(name) || (name == "it" && self.row.get().is_some()) {
            quote!(#local)
        } else {
            quote!(&#local)
        }
    }

    /// Emits something in which `it` stands for an item of the table of a field with `for_each`.
    pub(crate) fn with_row<T>(&self, field: &Field<'_>, emit: impl FnOnce() -> T) -> T {
        let row = field.each.as_ref().and_then(|each| self.model.row_type(each));
        let outer = self.row.replace(row);
        let emitted = emit();
        self.row.set(outer);
        emitted
    }

    /// Whether `it` is a number.
    pub(crate) fn row_is_scalar(&self) -> bool {
        self.row.get().and_then(crate::model::scalar).is_some()
    }

    /// Whether the name stands for the value inside an `Option`.
    fn is_opened(&self, name: &Ident) -> bool {
        self.opened.borrow().as_ref() == Some(name)
    }

    fn is_scalar(&self, name: &Ident) -> bool {
        self.numeric(name).is_some()
    }

    /// The kind of number that a name stands for, if it is one.
    fn numeric(&self, name: &Ident) -> Option<Numeric> {
        if let Some((_, field)) = self.model.field(name) {
            let there = !field.is_optional() || self.is_opened(name);
            let scalar = field.kind.scalar().filter(|_| there);
            return scalar.map(|scalar| scalar.numeric);
        }
        if let Some(row) = self.row.get().filter(|_| name == "it") {
            return crate::model::scalar(row).map(|scalar| scalar.numeric);
        }
        if let Some(item) = self.model.last_item(name) {
            return Kind::of(item).scalar().map(|scalar| scalar.numeric);
        }
        let parameter = self.model.parameters().iter().find(|parameter| parameter.name == *name)?;
        // An array of numbers is no number.
        let plain = Some(&parameter.ty).filter(|ty| matches!(ty, syn::Type::Path(_)))?;
        crate::model::scalar(plain).map(|scalar| scalar.numeric)
    }

    /// An expression as a wide integer, inside a function that returns `Option`.
    fn number(&self, expr: &Expr) -> TokenStream {
        let rt = &self.rt;
        match expr {
            Expr::Int(value, _) => {
                // A literal takes the sign of what it meets; alone, it is unsigned.
                if self.signed.get() {
                    let value = i64::try_from(*value).unwrap_or(i64::MAX);
                    quote!(#value)
                } else {
                    quote!(#value)
                }
            }
            Expr::If(condition, yes, no) => {
                let (condition, yes, no) =
                    (self.truth(condition), self.number(yes), self.number(no));
                quote!(if #condition { #yes } else { #no })
            }
            Expr::Binary(left, op, right) => {
                let (left, right) = (self.number(left), self.number(right));
                match op {
                    Op::BitAnd => quote!(#rt::ops::Wide::and(#left, #right)),
                    Op::BitOr => quote!(#rt::ops::Wide::or(#left, #right)),
                    _ => {
                        let method = arithmetic(*op);
                        quote!(#rt::ops::Wide::#method(#left, #right)?)
                    }
                }
            }
            Expr::Measure(measure, field) => {
                let name = measured(*measure, field);
                quote!(#name)
            }
            Expr::Builtin(name, args) => {
                let args: Vec<_> = args.iter().map(|arg| self.number(arg)).collect();
                if name == "align_up" {
                    quote!(#rt::ops::align_up(#(#args),*)?)
                } else {
                    quote!(::core::cmp::Ord::#name(#(#args),*))
                }
            }
            other => {
                let value = self.value(other);
                quote!(#rt::ops::Widen::widen(#value))
            }
        }
    }

    /// An expression as a truth value, inside a function that returns `Option`.
    fn truth(&self, expr: &Expr) -> TokenStream {
        match expr {
            Expr::Bool(value, _) => quote!(#value),
            Expr::Not(inner) => {
                let inner = self.truth(inner);
                quote!(!#inner)
            }
            Expr::If(condition, yes, no) => {
                let (condition, yes, no) = (self.truth(condition), self.truth(yes), self.truth(no));
                quote!(if #condition { #yes } else { #no })
            }
            Expr::Binary(left, op, right) if op.is_logic() => {
                let (left, right) = (self.truth(left), self.truth(right));
                if *op == Op::And { quote!((#left && #right)) } else { quote!((#left || #right)) }
            }
            Expr::Binary(left, op, right) if op.is_comparison() => {
                self.comparison(left, *op, right)
            }
            other => self.value(other),
        }
    }

    /// An expression as a byte order, inside a function that returns `Option`.
    fn byte_order(&self, expr: &Expr) -> TokenStream {
        match expr {
            Expr::If(condition, yes, no) => {
                let (condition, yes, no) =
                    (self.truth(condition), self.byte_order(yes), self.byte_order(no));
                quote!(if #condition { #yes } else { #no })
            }
            // What is no number is passed by reference.
            Expr::Name(name) => quote!(*#name),
            other => self.value(other),
        }
    }

    /// Numbers are compared widened, all else as it is.
    fn comparison(&self, left: &Expr, op: Op, right: &Expr) -> TokenStream {
        let token = comparison(op);
        let rt = &self.rt;
        if let Expr::Text(text) = right {
            let left = self.reference(left);
            return quote!(#rt::ops::is_text(#left, #text));
        }
        if self.is_number(left) || self.is_number(right) {
            let (left, right) = (self.number(left), self.number(right));
            return quote!((#left #token #right));
        }
        if matches!(left, Expr::Bytes(_)) || matches!(right, Expr::Bytes(_)) {
            let (left, right) = (self.reference(left), self.reference(right));
            return quote!((#rt::ops::bytes(#left) #token #rt::ops::bytes(#right)));
        }
        let (left, right) = (self.reference(left), self.reference(right));
        quote!((#left #token #right))
    }

    /// Whether an expression is seen to be an integer.
    fn is_number(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Int(..) | Expr::Measure(..) | Expr::Builtin(..) => true,
            Expr::Binary(_, op, _) => !op.is_comparison() && !op.is_logic(),
            Expr::If(_, yes, _) => self.is_number(yes),
            Expr::Name(name) => {
                matches!(self.numeric(name), Some(Numeric::Unsigned | Numeric::Signed))
            }
            _ => false,
        }
    }

    fn reference(&self, expr: &Expr) -> TokenStream {
        match expr {
            Expr::Name(name) if !self.is_scalar(name) => quote!(#name),
            other => {
                let value = self.value(other);
                quote!(&#value)
            }
        }
    }

    /// An expression as it stands, for calls of the user's own functions.
    fn value(&self, expr: &Expr) -> TokenStream {
        match expr {
            Expr::Bool(value, _) => quote!(#value),
            Expr::Int(value, _) => {
                let literal = proc_macro2::Literal::u64_unsuffixed(*value);
                quote!(#literal)
            }
            Expr::Bytes(bytes) => quote!(#bytes),
            Expr::Name(name) => quote!(#name),
            Expr::Path(path) => quote!(#path),
            Expr::Text(text) => quote!(#text),
            Expr::Field(inner, member) => {
                let inner = self.value(inner);
                quote!(#inner.#member)
            }
            Expr::Call(path, args) => {
                let args = args.iter().map(|arg| self.value(arg));
                quote!(#path(#(#args),*))
            }
            Expr::Method(inner, method, args) => {
                let inner = self.value(inner);
                let args = args.iter().map(|arg| self.value(arg));
                quote!(#inner.#method(#(#args),*))
            }
            Expr::Not(_) => self.truth(expr),
            Expr::Binary(_, op, _) if op.is_comparison() || op.is_logic() => self.truth(expr),
            Expr::Binary(..) | Expr::Measure(..) | Expr::Builtin(..) | Expr::If(..) => {
                self.number(expr)
            }
        }
    }

    /// An expression in the place of an argument: names are copied.
    pub(crate) fn raw(&self, expr: &Expr, site: Site) -> TokenStream {
        match expr {
            Expr::Name(name) if self.model.field(name).is_some() => {
                let local = local(name);
                if self.is_scalar(name) || site == Site::Walk {
                    quote!(#local)
                } else {
                    quote!(*#local)
                }
            }
            Expr::Name(name) => {
                let local = argument(name);
                quote!(#local)
            }
            Expr::Field(inner, member) => {
                let inner = self.raw(inner, site);
                quote!(#inner.#member)
            }
            Expr::Call(path, args) => {
                let args = args.iter().map(|arg| self.raw(arg, site));
                quote!(#path(#(#args),*))
            }
            Expr::Method(inner, method, args) => {
                let inner = self.raw(inner, site);
                let args = args.iter().map(|arg| self.raw(arg, site));
                quote!((#inner).#method(#(#args),*))
            }
            Expr::If(condition, yes, no) => {
                let (condition, yes, no) =
                    (self.raw(condition, site), self.raw(yes, site), self.raw(no, site));
                quote!(if #condition { #yes } else { #no })
            }
            Expr::Int(..) | Expr::Bool(..) | Expr::Bytes(_) | Expr::Path(_) => self.value(expr),
            _ => self.computed(expr, site),
        }
    }

    /// A condition or a number in the place of an argument, in the type that the argument has.
    fn computed(&self, expr: &Expr, site: Site) -> TokenStream {
        let rt = &self.rt;
        let truth = matches!(expr, Expr::Not(_))
            || matches!(expr, Expr::Binary(_, op, _) if op.is_comparison() || op.is_logic());
        let wanted = if truth { Wanted::Truth } else { Wanted::Size };
        let function = self.function("args", expr, wanted);
        let call = self.call(&function, site);
        match (truth, site) {
            (true, _) => quote!((#call == ::core::option::Option::Some(true))),
            (false, Site::Write) => quote!(#rt::write::argument(__out, #call)?),
            (false, _) => quote!(#rt::walk::argument(__cur, __obs, #call)?),
        }
    }
}

/// A field's value as the scalar it stores.
pub(crate) fn wide(rt: &TokenStream, field: &Field<'_>) -> TokenStream {
    let local = local(&field.name);
    quote!(#rt::ops::Widen::widen(#local))
}
