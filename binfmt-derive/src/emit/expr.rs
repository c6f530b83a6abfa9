//! Expressions: small functions over the names they mention, called by every product.

mod computed;
mod ops;

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};
use syn::{Ident, Type};

use super::{Emitter, Site, argument, local, unraw};
use crate::expr::{Expr, Measure, Op};
use crate::model::{Field, Kind, Numeric};

use ops::{arithmetic, comparison, plain};

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
        let rt = &self.rt;
        let parameters = self.parameters(expr);
        let (ty, body) = match wanted {
            Wanted::Size => {
                let value = self.number(expr, true);
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
        let traits = self.traits(&body);
        self.functions.borrow_mut().push(quote! {
            #[inline(always)]
            fn #name(#(#parameters),*) -> #rt::Option<#ty> {
                #traits
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

    /// The traits whose methods some code calls.
    fn traits(&self, code: &TokenStream) -> Option<TokenStream> {
        let rt = &self.rt;
        let calls = |name: &str| mentions(code.clone(), name);
        let part = calls("given").then(|| quote!(use #rt::pass::{AnyPart as _, NumberPart as _};));
        let pair = calls("equal") || calls("compare");
        let pair = pair.then(|| quote!(use #rt::pass::{AnyPair as _, NumberPair as _};));
        (part.is_some() || pair.is_some()).then(|| quote!(#part #pair))
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
            let ty = self.type_of(name);
            let name = bound(name);
            match ty {
                (ty, true) => quote!(#name: #ty),
                (ty, false) => quote!(#name: &#ty),
            }
        });
        let measures = expr.measures().into_iter().map(|(measure, field)| {
            let name = measured(measure, field);
            quote!(#name: u64)
        });
        names.chain(measures).collect()
    }

    /// The type of what a name stands for, and whether it is a scalar.
    fn type_of(&self, name: &Ident) -> (Option<&Type>, bool) {
        let scalar = self.is_scalar(name);
        if let Some((_, field)) = self.model.field(name) {
            let ty = match field.kind {
                Kind::Auto(_, ty) if scalar => ty,
                _ if self.is_opened(name) => field.inner,
                _ => field.ty,
            };
            return (Some(ty), scalar);
        }
        let mut parameters = self.model.parameters().iter();
        let parameter = parameters.find(|parameter| parameter.name == *name);
        let argument = parameter.map(|parameter| &parameter.ty).or(self.row.get());
        (self.model.last_item(name).or(argument), scalar)
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
        let plain = Some(&parameter.ty).filter(|ty| matches!(ty, Type::Path(_)))?;
        crate::model::scalar(plain).map(|scalar| scalar.numeric)
    }

    /// An expression as a wide integer, inside a function that returns `Option`. A literal has the
    /// type of what it meets; where it meets none, it is `alone`.
    fn number(&self, expr: &Expr, alone: bool) -> TokenStream {
        let rt = &self.rt;
        match expr {
            Expr::Int(value, _) if alone => quote!(#value),
            Expr::Int(..) => self.value(expr),
            Expr::If(condition, yes, no) => {
                let alone = alone && !yes.has_type() && !no.has_type();
                let (yes, no) = (self.number(yes, alone), self.number(no, alone));
                let condition = self.truth(condition);
                quote!(if #condition { #yes } else { #no })
            }
            Expr::Binary(left, op, right) => {
                let typed = left.has_type() && right.has_type();
                let unsure = typed && (left.is_opaque() || right.is_opaque());
                let alone = alone && !left.has_type() && !right.has_type();
                let (left, right) = (self.number(left, alone), self.number(right, alone));
                let right = if unsure { quote!(#rt::ops::alike(#right)) } else { right };
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
                let alone = alone && !args.iter().any(Expr::has_type);
                let args: Vec<_> = args.iter().map(|arg| self.number(arg, alone)).collect();
                if name == "align_up" {
                    quote!(#rt::ops::align_up(#(#args),*)?)
                } else {
                    quote!(::core::cmp::Ord::#name(#(#args),*))
                }
            }
            Expr::Name(name) => {
                let name = bound(name);
                quote!(#rt::ops::Widen::widen(#name))
            }
            other => {
                let value = self.value(other);
                quote!(#rt::ops::Widen::widen(&#value))
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
            Expr::Name(name) => {
                let name = bound(name);
                quote!(*#name)
            }
            other => self.value(other),
        }
    }

    /// Numbers are compared widened, all else as it is.
    fn comparison(&self, left: &Expr, op: Op, right: &Expr) -> TokenStream {
        let rt = &self.rt;
        if let Expr::Text(text) = right {
            let left = self.reference(left);
            return quote!(#rt::ops::is_text(#left, #text));
        }
        if self.is_number(left) || self.is_number(right) {
            let token = comparison(op);
            let typed = left.has_type() && right.has_type();
            let unsure = typed && (left.is_opaque() || right.is_opaque());
            let alone = !left.has_type() && !right.has_type();
            let (left, right) = (self.number(left, alone), self.number(right, alone));
            return if unsure {
                self.compared(&quote!(&#left), op, &quote!(&#right))
            } else {
                quote!((#left #token #right))
            };
        }
        let (a, b) = (self.reference(left), self.reference(right));
        if matches!(left, Expr::Bytes(_)) || matches!(right, Expr::Bytes(_)) {
            let token = comparison(op);
            return quote!((#rt::ops::bytes(#a) #token #rt::ops::bytes(#b)));
        }
        self.compared(&a, op, &b)
    }

    /// Two values, whose types are not seen here, compared by what they are.
    fn compared(&self, a: &TokenStream, op: Op, b: &TokenStream) -> TokenStream {
        let rt = &self.rt;
        let pair = quote!((&#rt::pass::Pair(#a, #b)));
        let holds = match op {
            Op::Eq => return quote!(#pair.equal()),
            Op::Ne => return quote!(!#pair.equal()),
            Op::Lt => quote!(is_lt),
            Op::Le => quote!(is_le),
            Op::Gt => quote!(is_gt),
            _ => quote!(is_ge),
        };
        quote!(#pair.compare().is_some_and(::core::cmp::Ordering::#holds))
    }

    /// Whether an expression is seen to be an integer.
    fn is_number(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Int(..) | Expr::Measure(..) | Expr::Builtin(..) => true,
            Expr::Binary(_, op, _) => !op.is_comparison() && !op.is_logic(),
            Expr::If(_, yes, no) => self.is_number(yes) || self.is_number(no),
            Expr::Name(name) => {
                matches!(self.numeric(name), Some(Numeric::Unsigned | Numeric::Signed))
            }
            _ => false,
        }
    }

    fn reference(&self, expr: &Expr) -> TokenStream {
        match expr {
            Expr::Name(name) if !self.is_scalar(name) => {
                let name = bound(name);
                quote!(#name)
            }
            other => {
                let value = self.value(other);
                quote!(&#value)
            }
        }
    }

    /// An expression as it stands: names of scalars are values, all others are references.
    fn value(&self, expr: &Expr) -> TokenStream {
        match expr {
            Expr::Bool(value, _) => quote!(#value),
            Expr::Int(value, span) => {
                let mut literal = proc_macro2::Literal::u64_unsuffixed(*value);
                literal.set_span(*span);
                quote!(#literal)
            }
            Expr::Bytes(bytes) => quote!(#bytes),
            Expr::Name(name) => bound(name).to_token_stream(),
            Expr::Path(path) => quote!(#path),
            Expr::Text(text) => quote!(#text),
            Expr::Field(inner, member) => {
                let inner = self.value(inner);
                quote!(#inner.#member)
            }
            Expr::Call(path, args) => {
                let args = args.iter().map(|arg| self.given(arg));
                quote!(#path(#(#args),*))
            }
            Expr::Method(inner, method, args) => {
                let inner = match **inner {
                    Expr::Int(..) | Expr::Path(_) | Expr::Call(..) => self.value(inner),
                    _ => {
                        let inner = self.value(inner);
                        quote!((#inner))
                    }
                };
                let args = args.iter().map(|arg| self.given(arg));
                quote!(#inner.#method(#(#args),*))
            }
            Expr::Not(_) => self.truth(expr),
            Expr::Binary(_, op, _) if op.is_comparison() || op.is_logic() => self.truth(expr),
            Expr::Binary(..) | Expr::Measure(..) | Expr::Builtin(..) | Expr::If(..) => {
                self.number(expr, true)
            }
        }
    }

    /// What a function of the user is given: numbers by value, all else by reference.
    fn given(&self, expr: &Expr) -> TokenStream {
        let value = self.value(expr);
        let rt = &self.rt;
        match expr {
            Expr::Field(..) => quote!((&#rt::pass::Part(&#value)).given()),
            _ => value,
        }
    }

    /// The arguments of a type, as `Option`: integers are converted, all else is cloned.
    pub(crate) fn passed(&self, ty: &TokenStream, exprs: &[&Expr], site: Site) -> TokenStream {
        let rt = &self.rt;
        let mut names: Vec<&Ident> = Vec::new();
        for name in exprs.iter().filter(|expr| !is_computed(expr)).flat_map(|expr| expr.names()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let bound = names.into_iter().map(|name| {
            let (bound, operand) = (bound(name), self.operand(name, site));
            quote!(let #bound = #operand;)
        });
        let values = exprs.iter().map(|expr| {
            let span = Span::call_site().located_at(expr.span());
            match expr {
                Expr::Name(name) if !self.is_scalar(name) => self::bound(name).to_token_stream(),
                Expr::Int(value, _) => quote_spanned!(span=> &#value),
                _ if is_computed(expr) => {
                    let wanted = if is_truth(expr) { Wanted::Truth } else { Wanted::Size };
                    let function = self.function("args", expr, wanted);
                    let call = self.call(&function, site);
                    if is_truth(expr) {
                        quote_spanned!(span=> &(#call == ::core::option::Option::Some(true)))
                    } else {
                        quote_spanned!(span=> &#rt::pass::Computed(#call))
                    }
                }
                _ => {
                    let value = self.value(expr);
                    quote_spanned!(span=> &#value)
                }
            }
        });
        let span = exprs.first().map_or_else(Span::call_site, |expr| expr.span());
        let span = Span::call_site().located_at(span);
        let of = quote_spanned!(span=> <#ty as #rt::pass::Arguments<_>>::of((#(#values,)*)));
        let traits = self.traits(&of);
        quote!({ #traits #(#bound)* #of })
    }

    /// A constant, as the default of an argument.
    pub(crate) fn constant(&self, expr: &Expr) -> TokenStream {
        match expr {
            Expr::Binary(left, op, right) => {
                let (left, right) = (self.constant(left), self.constant(right));
                let token = plain(*op);
                quote!((#left #token #right))
            }
            Expr::If(condition, yes, no) => {
                let (condition, yes, no) =
                    (self.constant(condition), self.constant(yes), self.constant(no));
                quote!(if #condition { #yes } else { #no })
            }
            Expr::Not(inner) => {
                let inner = self.constant(inner);
                quote!(!#inner)
            }
            other => self.value(other),
        }
    }
}

/// Whether an argument is computed by the arithmetic of declarations.
fn is_computed(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Not(_) | Expr::Binary(..) | Expr::Measure(..) | Expr::Builtin(..) | Expr::If(..)
    )
}

/// Whether an expression is a condition.
fn is_truth(expr: &Expr) -> bool {
    match expr {
        Expr::Not(_) | Expr::Bool(..) => true,
        Expr::Binary(_, op, _) => op.is_comparison() || op.is_logic(),
        Expr::If(_, yes, _) => is_truth(yes),
        _ => false,
    }
}

/// Whether some code has an identifier.
fn mentions(code: TokenStream, name: &str) -> bool {
    code.into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => mentions(group.stream(), name),
        _ => false,
    })
}

/// The variable that a name of an expression is bound to.
fn bound(name: &Ident) -> Ident {
    // The compiler looks for the style of a name where a person wrote it.
    format_ident!("__n_{}", unraw(name), span = Span::call_site().located_at(name.span()))
}

/// A field's value as the scalar it stores.
pub(crate) fn wide(rt: &TokenStream, field: &Field<'_>) -> TokenStream {
    let local = local(&field.name);
    quote!(#rt::ops::Widen::widen(#local))
}
