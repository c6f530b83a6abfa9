//! Rules about expressions: numbers against conditions, and values that are neither.

use syn::{Ident, Type};

use super::decided;
use super::signs::signed_in;
use crate::attr::Wanted;
use crate::errors::Errors;
use crate::expr::{Expr, OR, Op};
use crate::model::{
    Field, Kind, Model, Numeric, Scope, array_of_bytes, is_before, is_entry, is_given, is_group,
    is_value, parameter,
};

/// Methods of numbers and of `Option` that panic on some values. What they do on a declared type, that says.
const PANICKING: &[&str] = &[
    "unwrap",
    "unwrap_err",
    "expect",
    "expect_err",
    "pow",
    "abs",
    "ilog",
    "ilog2",
    "ilog10",
    "div_ceil",
    "div_euclid",
    "rem_euclid",
    "next_multiple_of",
    "next_power_of_two",
];

/// Checks what an expression of `word` makes where it stands.
pub(super) fn check(
    errors: &mut Errors,
    model: &Model<'_>,
    (word, scope): (&str, Scope),
    expr: &Expr,
    wanted: Wanted,
) {
    let own = scope.own.and_then(|own| model.fields().get(own));
    let entry = own.and_then(|own| model.entry_type(own.parallel.as_ref()?));
    Kinds { errors, model, word, own, entry }.check(expr, wanted);
}

/// The kind of number that a name stands for, if it is one; an integer that may be absent stands for
/// the number where it is there.
pub(super) fn numeric(model: &Model<'_>, name: &Ident) -> Option<Numeric> {
    let kind = match model.field(name) {
        Some((_, field)) if field.is_optional() => field.integer_inside()?,
        Some((_, field)) => field.kind,
        None => match model.last_item(name) {
            Some(item) => Kind::of(item),
            None => {
                let mut parameters = model.parameters().iter();
                Kind::of(&parameters.find(|parameter| parameter.name == *name)?.ty)
            }
        },
    };
    kind.scalar().map(|scalar| scalar.numeric)
}

/// A name as the declaration has it.
pub(super) fn declared(model: &Model<'_>, name: &Ident) -> Ident {
    match model.last_item(name) {
        Some(_) if name.to_string().starts_with("__previous_") || is_given(name) => {
            Ident::new("previous", name.span())
        }
        Some(_) if is_group(name) => Ident::new("group", name.span()),
        Some(_) if is_value(name) => Ident::new("value", name.span()),
        Some(_) => Ident::new("last", name.span()),
        None if is_before(name) => Ident::new("previous", name.span()),
        None => name.clone(),
    }
}

/// Tells numbers from conditions, as far as that can be seen.
struct Kinds<'c, 'm> {
    errors: &'c mut Errors,
    model: &'c Model<'m>,
    word: &'c str,
    /// The field that has the word.
    own: Option<&'c Field<'m>>,
    /// The type of `it`.
    entry: Option<&'c Type>,
}

impl Kinds<'_, '_> {
    fn check(&mut self, expr: &Expr, wanted: Wanted) {
        match expr {
            Expr::Bytes(bytes) => {
                if wanted != Wanted::Anything {
                    self.errors
                        .add(bytes.span(), "bytes are compared with bytes: `form == b\"WAVE\"`");
                }
            }
            Expr::Int(..) | Expr::Negative(..) if wanted == Wanted::Condition => {
                self.no_condition(expr);
            }
            Expr::Text(text) => {
                if wanted != Wanted::Anything {
                    self.errors
                        .add(text.span(), "texts are compared with texts: `name == \"end\"`");
                }
            }
            Expr::Int(..) | Expr::Negative(..) | Expr::Path(_) => {}
            Expr::Bool(..) => self.only_condition(expr, wanted),
            Expr::Name(name) => self.name(name, wanted),
            Expr::Not(inner) => {
                self.only_condition(expr, wanted);
                self.check(inner, Wanted::Condition);
            }
            Expr::Binary(left, op, right) if op.is_logic() => {
                self.only_condition(expr, wanted);
                self.check(left, Wanted::Condition);
                self.check(right, Wanted::Condition);
            }
            Expr::Binary(left, op, right) if op.is_comparison() => {
                self.only_condition(expr, wanted);
                self.comparison(expr, left, right);
            }
            Expr::Binary(..) if wanted == Wanted::Condition => self.no_condition(expr),
            Expr::Binary(left, op, right) => {
                if let (Op::Div | Op::Rem, Expr::Int(0, span)) = (op, &**right) {
                    self.errors.add(*span, "nothing can be divided by 0");
                }
                self.check(left, Wanted::Number);
                self.check(right, Wanted::Number);
            }
            Expr::If(condition, yes, no) => {
                self.check(condition, Wanted::Condition);
                self.check(yes, wanted);
                self.check(no, wanted);
            }
            Expr::Measure(..) | Expr::Builtin(..) => self.measure(expr, wanted),
            Expr::Field(whole, _) => self.part(whole),
            Expr::Call(_, args) => args.iter().for_each(|arg| self.check(arg, Wanted::Anything)),
            Expr::Method(inner, method, args) => {
                self.panicking(inner, method);
                self.check(inner, Wanted::Anything);
                for arg in args {
                    self.check(arg, Wanted::Anything);
                }
            }
        }
    }

    /// No method of the standard library is called that panics on what a file may hold.
    fn panicking(&mut self, of: &Expr, method: &Ident) {
        let own = |field: &Field<'_>| matches!(field.kind, Kind::Nested) && !field.is_optional();
        let is_own = match of {
            Expr::Name(name) => self.model.field(name).is_some_and(|(_, field)| own(field)),
            _ => false,
        };
        if !is_own && PANICKING.iter().any(|name| method == name) {
            self.errors.add(
                method.span(),
                format!("`{method}` panics on some values, and a file may hold any; call a function of yours that gives an `Option`"),
            );
        }
    }

    fn comparison(&mut self, expr: &Expr, left: &Expr, right: &Expr) {
        let numbers = self.is_number(left) || self.is_number(right);
        let wanted = if numbers { Wanted::Number } else { Wanted::Anything };
        // Conditions are equal or not, and have no order.
        let ordered = matches!(expr, Expr::Binary(_, Op::Lt | Op::Le | Op::Gt | Op::Ge, _));
        if let (true, Expr::Binary(_, op, _)) = (numbers || ordered, left)
            && op.is_comparison()
        {
            let message = "comparisons cannot be chained; write `low < n && n < high`";
            return self.errors.add_range(expr.ends(), message);
        }
        decided::check(self.errors, self.model, self.own, expr);
        if let Expr::Binary(_, Op::Eq | Op::Ne, _) = expr {
            self.of_a_length(left, right);
            self.of_a_length(right, left);
        }
        self.check(left, wanted);
        self.check(right, wanted);
    }

    /// An array of bytes is never equal to others than as many.
    fn of_a_length(&mut self, array: &Expr, bytes: &Expr) {
        let (Expr::Name(name), Expr::Bytes(bytes)) = (array, bytes) else { return };
        let field = self.model.field(name).map(|(_, field)| field.inner);
        let mut parameters = self.model.parameters().iter();
        let parameter = || parameters.find(|one| one.name == *name).map(|one| &one.ty);
        let Some(len) = field.or_else(parameter).and_then(array_of_bytes) else { return };
        let own = bytes.value().len();
        if own != len {
            self.errors.add(bytes.span(), format!("`{name}` has {len} bytes and this has {own}"));
        }
    }

    fn measure(&mut self, expr: &Expr, wanted: Wanted) {
        if wanted == Wanted::Condition {
            return self.no_condition(expr);
        }
        let Expr::Builtin(name, args) = expr else { return };
        // What the item before says may be anything.
        let wanted =
            if name == OR && self.word == "args" { Wanted::Anything } else { Wanted::Number };
        for arg in args {
            self.check(arg, wanted);
            let signed = signed_in(self.model, arg).filter(|_| name == "align_up");
            if let Some(signed) = signed {
                let message = format!(
                    "`align_up` takes unsigned numbers, and `{signed}` is signed; call a function of your own"
                );
                self.errors.add_range(arg.ends(), message);
            }
        }
    }

    /// A type parameter may be any type: no expression knows its fields. What is not there has none; a word
    /// of a field that may be absent asks for its value only where that is there.
    fn part(&mut self, whole: &Expr) {
        self.check(whole, Wanted::Anything);
        let Expr::Name(name) = whole else { return };
        let own = self.own.is_some_and(|own| own.name == *name);
        let absent = self.model.field(name).is_some_and(|(_, field)| field.is_optional());
        if absent && !own {
            let message = format!(
                "`{name}` may be absent, so its fields are not known; call a function of your own with all of it: `f({name})`"
            );
            self.errors.add(name.span(), message);
        } else if self.numeric(name).is_some() {
            let name = declared(self.model, name);
            self.errors.add(
                name.span(),
                format!("`{name}` is a number and has no fields; use it as it is"),
            );
        } else if let Some(parameter) = self.parameter(name) {
            let message = format!(
                "this is a value of `{parameter}`, which may be any type, so its fields are not known; declare the type, or call a function of your own"
            );
            self.errors.add(name.span(), message);
        }
    }

    /// The type parameter that the value behind a name has.
    fn parameter(&self, name: &Ident) -> Option<String> {
        let field = self.model.field(name).map(|(_, field)| field);
        let field = field.filter(|field| matches!(field.kind, Kind::Nested));
        let ty = match self.entry.filter(|_| is_entry(name)) {
            Some(entry) => entry,
            None => self.model.last_item(name).or(field.map(|field| field.inner))?,
        };
        parameter(self.model, ty).map(Ident::to_string)
    }

    fn name(&mut self, name: &Ident, wanted: Wanted) {
        let parameter = self.parameter(name).filter(|_| wanted != Wanted::Anything);
        if let Some(parameter) = parameter {
            let message = format!(
                "this is a value of `{parameter}`, which may be any type and is no number here; declare the type, or call a function of your own"
            );
            return self.errors.add(name.span(), message);
        }
        let field = self.model.field(name).map(|(_, field)| field);
        let number = self.numeric(name);
        let item = self.model.last_item(name).map(Kind::of);
        let word = self.word;
        let name = &declared(self.model, name);
        let message = match (wanted, number) {
            (Wanted::Anything, _)
            | (Wanted::Condition, Some(Numeric::Bool))
            | (Wanted::Number, Some(Numeric::Signed | Numeric::Unsigned)) => return,
            (Wanted::Number, Some(Numeric::Bool)) => {
                format!(
                    "`{name}` is a condition and no number; write `if {name} {{ 1 }} else {{ 0 }}`"
                )
            }
            (Wanted::Condition, Some(Numeric::Unsigned | Numeric::Signed))
                if field.is_some_and(Field::is_optional) =>
            {
                format!(
                    "`{name}` may be absent and is no condition; ask whether it is there, `{name}.is_some()`, or compare it, `{name} != 0`"
                )
            }
            (Wanted::Condition, Some(Numeric::Unsigned | Numeric::Signed)) => {
                format!("`{name}` is a number and no condition; compare it: `{name} != 0`")
            }
            (_, Some(Numeric::Float)) => {
                format!(
                    "`{name}` is a float; `{word}` works with integers, so call a function of your own"
                )
            }
            (_, None) => match no_number(name, field, item, wanted) {
                Some(message) => message,
                None => return,
            },
        };
        self.errors.add(name.span(), message);
    }

    /// The kind of number that a name stands for, if it is one; of an item of a table also `index` and `it`.
    fn numeric(&self, name: &Ident) -> Option<Numeric> {
        let parameters = &mut self.model.parameters().iter();
        let declared =
            self.model.field(name).is_some() || parameters.any(|parameter| parameter.name == *name);
        match self.own.filter(|own| own.parallel.is_some() && !declared) {
            Some(_) if name == "index" => Some(Numeric::Unsigned),
            Some(_) if is_entry(name) => {
                Kind::of(self.entry?).scalar().map(|scalar| scalar.numeric)
            }
            _ => numeric(self.model, name),
        }
    }

    fn no_condition(&mut self, expr: &Expr) {
        let word = self.word;
        self.errors.add_range(
            expr.ends(),
            format!("`{word}` needs a condition and this is a number; compare it: `.. != 0`"),
        );
    }

    fn only_condition(&mut self, expr: &Expr, wanted: Wanted) {
        if wanted == Wanted::Number {
            self.errors.add_range(
                expr.ends(),
                "a number is needed here and this is a condition; write `if .. { 1 } else { 0 }`",
            );
        }
    }

    /// Whether an expression is seen to be a number.
    fn is_number(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Int(..) | Expr::Negative(..) | Expr::Measure(..) | Expr::Builtin(..) => true,
            Expr::Binary(_, op, _) => !op.is_comparison() && !op.is_logic(),
            Expr::If(_, yes, _) => self.is_number(yes),
            // Two values that may be absent are compared as they are.
            Expr::Name(name) => {
                let there = self.model.field(name).is_none_or(|(_, field)| !field.is_optional());
                let numeric = self.numeric(name).filter(|_| there);
                matches!(numeric, Some(Numeric::Unsigned | Numeric::Signed))
            }
            _ => false,
        }
    }
}

/// What is wrong with a name that stands for no number, if it is seen.
fn no_number(
    name: &Ident,
    field: Option<&Field<'_>>,
    item: Option<Kind<'_>>,
    wanted: Wanted,
) -> Option<String> {
    Some(match field {
        None if item.is_some_and(|item| !matches!(item, Kind::Nested)) => {
            format!(
                "`{name}` is neither a number nor a condition; give it to a function of your own"
            )
        }
        Some(field) if field.is_optional() && wanted == Wanted::Condition => format!(
            "`{name}` may be absent and is no condition; ask whether it is there: `{name}.is_some()`"
        ),
        Some(field) if field.is_optional() => {
            format!("`{name}` may be absent and is no number; give it to a function of your own")
        }
        Some(Field { kind: Kind::Nested, .. }) | None => return None,
        Some(_) => {
            format!("`{name}` is neither a number nor a condition; its size is `len({name})`")
        }
    })
}
