//! Rules about expressions: the names that are known where one stands, and numbers against conditions.

use syn::Ident;

use crate::attr::Args;
pub(super) use crate::attr::Wanted;
use crate::errors::{Errors, did_you_mean};
use crate::expr::{Expr, Measure, OR, Op};
pub(super) use crate::model::Scope;
use crate::model::{Field, Kind, Model, Numeric, Use, encoded, is_group, is_lazy, is_value};

/// Checks one expression of `word`.
pub(super) fn check(
    errors: &mut Errors,
    model: &Model<'_>,
    word: &str,
    expr: &Expr,
    scope: Scope,
    wanted: Wanted,
) {
    if expr.names().into_iter().any(|name| model.is_misplaced_last(name)) {
        return;
    }
    for name in expr.names() {
        let known = model.parameters().iter().any(|parameter| parameter.name == *name);
        if word == "set" && scope.item && is_all_values(model, name, scope) {
            let message =
                format!("`{name}` is the values of all items; that of this one is `value`");
            errors.add(name.span(), message);
        } else if !known && model.last_item(name).is_none() {
            field(errors, model, name, scope);
        }
    }
    for (name, members) in expr.parts() {
        let is_encoded = |(_, field): (usize, &Field<'_>)| encoded(field.inner).is_some();
        if !members.is_empty() && model.field(name).is_some_and(is_encoded) {
            errors.add(
                name.span(),
                format!("`{name}` has its parts in decoded bytes, which nothing outside can name; a rule about them stands in their type"),
            );
        }
    }
    for (measure, name) in expr.measures() {
        if measure == Measure::Remaining || model.value_of(name).is_some() {
            continue;
        }
        field(errors, model, name, Scope { values: scope.measures, ..scope });
        measurable(errors, model, measure, name);
    }
    upper_case(errors, model, expr);
    let signed = signed_in(model, expr);
    Kinds { errors, model, word, signed }.check(expr, wanted);
}

/// Whether a name is that of the field whose word it stands in.
fn is_all_values(model: &Model<'_>, name: &Ident, scope: Scope) -> bool {
    model.field(name).is_some_and(|(index, _)| Some(index) == scope.own)
}

/// Checks the expressions of some words, but for those of rules and of `until`.
pub(super) fn all<'m>(errors: &mut Errors, model: &Model<'_>, uses: impl Iterator<Item = Use<'m>>) {
    for one in uses.filter(|one| !one.row.is_rule() && one.row.name != "until") {
        check(errors, model, one.row.name, one.expr, one.scope(model), one.role.wanted);
    }
}

/// Arguments that are passed twice.
pub(super) fn passed_twice(errors: &mut Errors, args: &Args) {
    let list = args.passed();
    for (index, (name, _)) in list.iter().enumerate() {
        if list.iter().take(index).any(|(earlier, _)| earlier == name) {
            errors.add(name.span(), format!("argument `{name}` is passed twice; keep one"));
        }
    }
}

/// A name must be that of a field which has been read.
pub(super) fn field(errors: &mut Errors, model: &Model<'_>, name: &Ident, scope: Scope) {
    match model.field(name) {
        Some((_, field)) if field.is_located() && !scope.located => {
            errors.add(
                name.span(),
                format!("`{name}` lies at an offset and is read after the sequence; nothing in the sequence can use it"),
            );
        }
        Some((index, _)) if index < scope.values => {}
        Some((index, _)) if Some(index) == scope.own => {
            errors.add(
                name.span(),
                format!("`{name}` is this field itself and is not known yet; use fields before it"),
            );
        }
        Some(_) => {
            errors.add(name.span(), format!("`{name}` is read later; move it before this field"));
        }
        None if (name == "it" || name == "index") && scope.item => {}
        None if name == "it" => {
            let own = scope.own.and_then(|own| model.fields().get(own));
            errors.add(
                name.span(),
                if own.is_some_and(|own| own.parallel.is_some()) {
                    "a rule here is about all values, and `it` is one item; put the rule on the type of the items or of the values"
                } else {
                    "`it` is an item of the table that `for_each` names; it is known there alone"
                },
            );
        }
        None if name == "previous" => {
            errors.add(
                name.span(),
                "the item before is known in the `args` of a `Vec` or a `LinkedSeq`, beside what the first item is given: `previous.status or 0`",
            );
        }
        None if name == "remaining" => {
            errors.add(
                name.span(),
                "`remaining` is known in `until`, and in `len` and `if` of fields that follow one another",
            );
        }
        None if model.skipped.iter().any(|field| field.name == *name) => {
            errors.add(
                name.span(),
                format!("`{name}` is not on the wire, so nothing can use it; remove its `skip`"),
            );
        }
        None => {
            let fields = model.fields().iter().map(|field| field.name.to_string());
            let parameters = model.parameters().iter().map(|parameter| parameter.name.to_string());
            let known: Vec<String> = fields.chain(parameters).collect();
            let hint = did_you_mean(&name.to_string(), known.iter().map(String::as_str));
            errors.add(name.span(), format!("there is no field or argument `{name}`{hint}"));
        }
    }
}

/// `count` goes with what has items, `start` with what follows from the fields before it.
fn measurable(errors: &mut Errors, model: &Model<'_>, measure: Measure, name: &Ident) {
    let problem = model.field(name).and_then(|(_, field)| not_measurable(measure, name, field));
    if let Some(problem) = problem {
        errors.add(name.span(), problem);
    }
}

/// Why a field has no such measure.
fn not_measurable(measure: Measure, name: &Ident, field: &Field<'_>) -> Option<String> {
    let has_items = field.kind.is_sequence() || matches!(field.kind, Kind::Array(_));
    Some(match measure {
        _ if field.parallel.is_some() && measure != Measure::Count => {
            if field.is_located() {
                format!(
                    "the values of `{name}` lie apart, so they have no length or place as a whole; `count({name})` is their number"
                )
            } else {
                format!(
                    "`{name}` is one value for each item of a table; put table and values into a type of their own, and ask for the length of that"
                )
            }
        }
        Measure::Len if field.is_view() && !field.is_bytes() => {
            format!(
                "`{name}` is a view of bytes that others write; ask for the length of their field"
            )
        }
        Measure::Count if field.parallel.as_ref().is_some_and(|one| one.inner) => {
            format!(
                "nothing tells how many items there are beside `{name}`, for their table may be absent or lies in other values; ask for something else"
            )
        }
        Measure::Count if !has_items => {
            format!("`{name}` has no items to count; `len({name})` is its size in bytes")
        }
        Measure::Tag if is_lazy(field.inner) => {
            format!(
                "`{name}` is lazy, so that nothing has read its tag; keep the tag in a field of its own"
            )
        }
        Measure::Tag if !matches!(field.kind, Kind::Nested) || field.words.with.is_some() => {
            format!("`{name}` has no tag; only enums that say `tag = ..` have one")
        }
        Measure::Decoded if encoded(field.inner).is_none() => {
            format!("`{name}` has no decoded bytes; an `Encoded<C, T>` has some")
        }
        Measure::Start if field.is_located() => {
            format!("`{name}` starts at its `at`; use that")
        }
        Measure::End if field.is_located() => {
            format!("`{name}` lies at an offset; its end is that of its `at` and `len({name})`")
        }
        _ => return None,
    })
}

/// A name in upper case reads as a constant, so a field cannot have one and be used.
fn upper_case(errors: &mut Errors, model: &Model<'_>, expr: &Expr) {
    expr.walk(&mut |expr| {
        if let Expr::Path(path) = expr
            && let Some(name) = path.get_ident()
            && model.field(name).is_some()
        {
            errors.add(
                name.span(),
                format!("`{name}` reads as a constant here; give the field a name in lower case"),
            );
        }
    });
}

/// The kind of number that a name stands for, if it is one.
pub(super) fn numeric(model: &Model<'_>, name: &Ident) -> Option<Numeric> {
    let kind = match model.field(name) {
        Some((_, field)) => (!field.is_optional()).then_some(field.kind)?,
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

/// Tells numbers from conditions, as far as that can be seen.
struct Kinds<'c, 'm> {
    errors: &'c mut Errors,
    model: &'c Model<'m>,
    word: &'c str,
    /// A signed number of the expression; then all numbers of it must be.
    signed: Option<String>,
}

/// A signed number that others are added to, or the like; what functions take is apart.
fn signed_in(model: &Model<'_>, expr: &Expr) -> Option<String> {
    match expr {
        Expr::Name(name) => {
            (numeric(model, name) == Some(Numeric::Signed)).then(|| name.to_string())
        }
        Expr::Negative(value, _) => Some(value.to_string()),
        Expr::Binary(left, op, right) if !op.is_comparison() && !op.is_logic() => {
            signed_in(model, left).or_else(|| signed_in(model, right))
        }
        Expr::If(_, yes, no) => signed_in(model, yes).or_else(|| signed_in(model, no)),
        Expr::Builtin(_, args) => args.iter().find_map(|arg| signed_in(model, arg)),
        _ => None,
    }
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
                let signed = match wanted {
                    Wanted::Number => self.signed.clone(),
                    _ => signed_in(self.model, expr),
                };
                self.of_a_sign(signed, &[left, right], Wanted::Number);
            }
            Expr::If(condition, yes, no) => {
                self.check(condition, Wanted::Condition);
                self.check(yes, wanted);
                self.check(no, wanted);
            }
            Expr::Measure(..) | Expr::Builtin(..) => self.measure(expr, wanted),
            Expr::Field(inner, _) => self.check(inner, Wanted::Anything),
            Expr::Call(_, args) => args.iter().for_each(|arg| self.check(arg, Wanted::Anything)),
            Expr::Method(inner, _, args) => {
                self.check(inner, Wanted::Anything);
                for arg in args {
                    self.check(arg, Wanted::Anything);
                }
            }
        }
    }

    fn comparison(&mut self, expr: &Expr, left: &Expr, right: &Expr) {
        let numbers = self.is_number(left) || self.is_number(right);
        let wanted = if numbers { Wanted::Number } else { Wanted::Anything };
        if let (true, Expr::Binary(_, op, _)) = (numbers, left)
            && op.is_comparison()
        {
            let message = "comparisons cannot be chained; write `low < n && n < high`";
            return self.errors.add_range(expr.ends(), message);
        }
        let signed = signed_in(self.model, left).or_else(|| signed_in(self.model, right));
        self.of_a_sign(signed, &[left, right], wanted);
    }

    /// Checks numbers that have to be of one sign.
    fn of_a_sign(&mut self, signed: Option<String>, parts: &[&Expr], wanted: Wanted) {
        let outer = std::mem::replace(&mut self.signed, signed);
        for part in parts {
            self.check(part, wanted);
        }
        self.signed = outer;
    }

    fn measure(&mut self, expr: &Expr, wanted: Wanted) {
        if wanted == Wanted::Condition {
            return self.no_condition(expr);
        }
        if let (Some(signed), Wanted::Number) = (self.signed.clone(), wanted) {
            self.mixed(expr, "this", &signed);
        }
        if let Expr::Builtin(name, args) = expr {
            // What the item before says may be anything.
            let wanted = if name == OR { Wanted::Anything } else { Wanted::Number };
            for arg in args {
                self.check(arg, wanted);
            }
        }
    }

    fn name(&mut self, name: &Ident, wanted: Wanted) {
        let field = self.model.field(name).map(|(_, field)| field);
        let number = numeric(self.model, name);
        let item = self.model.last_item(name).map(Kind::of);
        let word = self.word;
        let name = &match self.model.last_item(name) {
            Some(_) if name.to_string().starts_with("__previous_") => {
                Ident::new("previous", name.span())
            }
            Some(_) if is_group(name) => Ident::new("group", name.span()),
            Some(_) if is_value(name) => Ident::new("value", name.span()),
            Some(_) => Ident::new("last", name.span()),
            None => name.clone(),
        };
        let message = match (wanted, number) {
            (Wanted::Anything, _)
            | (Wanted::Condition, Some(Numeric::Bool))
            | (Wanted::Number, Some(Numeric::Signed)) => return,
            (Wanted::Number, Some(Numeric::Unsigned)) => match self.signed.clone() {
                Some(signed) => {
                    return self.mixed(&Expr::Name(name.clone()), &format!("`{name}`"), &signed);
                }
                None => return,
            },
            (Wanted::Number, Some(Numeric::Bool)) => {
                format!(
                    "`{name}` is a condition and no number; write `if {name} {{ 1 }} else {{ 0 }}`"
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
            (_, None) => match field {
                None if item.is_some_and(|item| !matches!(item, Kind::Nested)) => format!(
                    "`{name}` is neither a number nor a condition; give it to a function of your own"
                ),
                Some(field) if field.is_optional() && wanted == Wanted::Condition => {
                    format!(
                        "`{name}` may be absent and is no condition; ask whether it is there: `{name}.is_some()`"
                    )
                }
                Some(field) if field.is_optional() => {
                    format!(
                        "`{name}` may be absent and is no number; give it to a function of your own"
                    )
                }
                Some(Field { kind: Kind::Nested, .. }) | None => return,
                Some(_) => format!(
                    "`{name}` is neither a number nor a condition; its size is `len({name})`"
                ),
            },
        };
        self.errors.add(name.span(), message);
    }

    fn mixed(&mut self, expr: &Expr, what: &str, signed: &str) {
        self.errors.add(
            expr.span(),
            format!("{what} is unsigned and `{signed}` is signed; the numbers of one expression are all signed or all unsigned"),
        );
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
            Expr::Name(name) => {
                matches!(numeric(self.model, name), Some(Numeric::Unsigned | Numeric::Signed))
            }
            _ => false,
        }
    }
}
