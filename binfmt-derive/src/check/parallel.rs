//! Rules about `for_each`, the words that go with it, and `it`.

use super::exprs::Scope;
use super::{exprs, forms, keywords, refuse};
use crate::attr::Form;
use crate::errors::Errors;
use crate::model::{Field, Kind, Model, Parallel};

/// Checks a field with `for_each` at `index`; its values are checked like fields.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>, index: usize, parallel: &Parallel<'_>) {
    table(errors, model, index, parallel);
    let words = &parallel.element.words;
    let sized = words.len.is_some() || words.with.is_some();
    if let (Some(until_end), None, false) = (&words.until_end, &words.at, sized) {
        errors.add(
            until_end.span,
            "`until_end` takes everything, so no other value can follow; say how long each is: `len = it.len`",
        );
    }
    if let Some(name) = parallel.element.sizes_name_before()
        && let Some(wrong) = knows_no_before(parallel)
    {
        errors.add(name.span(), wrong);
    }
    if let Some(keeper) = &words.keeper {
        let why = "has no meaning with `for_each`, whose values lie apart; remove it";
        refuse(errors, Some(keeper.span), "magic", why);
    }
}

/// Why the item in front of that of a value is not known.
fn knows_no_before(parallel: &Parallel<'_>) -> Option<&'static str> {
    let element = &parallel.element;
    if element.is_located() {
        Some(
            "the item before is known where values follow one another; the size of a value at an offset is said by numbers of its own item",
        )
    } else if parallel.inner {
        Some(
            "the item before is known in a table that is a field of this type and always there; say the size by numbers of the item",
        )
    } else {
        None
    }
}

/// Whether a value has words of fields in the sequence; more need not be said about them.
pub(super) fn is_misplaced(element: &Field<'_>) -> bool {
    element.words.keeper.is_some() || forms::are_misplaced(Form::Element, &element.words)
}

/// The table is an earlier sequence of items that can be set.
fn table(errors: &mut Errors, model: &Model<'_>, index: usize, parallel: &Parallel<'_>) {
    let name = &parallel.root;
    match model.field(name) {
        // It is read behind the sequence, in which these values lie.
        Some((_, table)) if table.is_located() && !parallel.element.is_located() => {
            errors.add(
                name.span(),
                format!("`{name}` lies at an offset and is read after the sequence; give these values an `at`, or put them into a type that lies at an offset, too"),
            );
        }
        Some((at, holder)) if at < index && parallel.inner => {
            inside(errors, model, parallel, holder);
        }
        Some((at, table)) if at < index => {
            if super::view::table(errors, name, table) {
                return;
            }
            let sequence = matches!(table.kind, Kind::Seq(_) | Kind::Vec(_) | Kind::Array(_));
            if !sequence || table.parallel.is_some() {
                errors.add(
                    name.span(),
                    if table.kind.is_bytes() && table.parallel.is_none() {
                        format!("`{name}` is bytes and no table; make it a `Vec<u8>` or a `Seq<'a, u8>`, which have items")
                    } else {
                        format!("`{name}` is no table; `for_each` names a field of type `Seq`, `Vec` or an array")
                    },
                );
            }
        }
        None if model.parameters().iter().any(|parameter| parameter.name == *name) => {
            errors.add(
                name.span(),
                format!("`{name}` is an argument, and `for_each` names a table among the fields of this type, whose numbers the writer sets; a function of yours may look things up in an argument"),
            );
        }
        _ => {
            let scope = Scope { own: Some(index), ..Scope::first(index) };
            exprs::field(errors, model, name, scope);
        }
    }
}

/// A value that holds a table, or several that each hold one, is written again with all numbers set.
fn inside(errors: &mut Errors, model: &Model<'_>, parallel: &Parallel<'_>, holder: &Field<'_>) {
    let (name, words) = (&parallel.root, &holder.words);
    let by_hand = words.map.is_some() || words.with.is_some();
    let is_table = parallel.path.is_empty();
    let kind = if by_hand { Kind::of(holder.inner) } else { holder.kind };
    let holds = matches!(kind, Kind::Nested | Kind::Vec(_) | Kind::Array(_));
    let wrong = if matches!(kind, Kind::Seq(_)) {
        "is lazy, and numbers in it are set; make it a `Vec`"
    } else if holder.parallel.is_some() || by_hand && !is_table || holder.is_view() {
        "is no value of a declared type, or a `Vec` or an array of such values, that the writer can set numbers in"
    } else if !(holds || by_hand && matches!(kind, Kind::Bytes { owned: true })) {
        "holds no table; `for_each` names a field of a declared type, or a `Vec` or an array of such values"
    } else if holder.setters().iter().any(|(member, _)| is_table_of(parallel, member)) {
        "has a `set` for that table; numbers of its items are set, or all of it, not both"
    } else if words.prefix.is_some() && matches!(holder.kind, Kind::Nested) {
        "has a `prefix`; declare a type with that and the table"
    } else if is_table && matches!(kind, Kind::Nested) {
        "is no table; `for_each` names a field of type `Seq`, `Vec` or an array"
    } else if !parallel.path.is_empty() && model.fields().iter().any(|other| is_beside(other, name))
    {
        "is a table of `for_each` itself; numbers of its items are set, or those of tables in them, not both"
    } else {
        return;
    };
    errors.add(name.span(), format!("`{name}` {wrong}"));
}

/// Whether a `set` of the holder gives it the table itself, or what that lies in.
fn is_table_of(parallel: &Parallel<'_>, member: &syn::Ident) -> bool {
    parallel.path.first().is_some_and(|first| first == member)
}

/// Whether a field has a value for every item of that one.
fn is_beside(field: &Field<'_>, table: &syn::Ident) -> bool {
    field.parallel.as_ref().is_some_and(|parallel| parallel.table == *table)
}

/// What offsets count from: the file, this value, or the start of an earlier field.
pub(super) fn base(errors: &mut Errors, model: &Model<'_>, index: usize, field: &Field<'_>) {
    let Some(base) = &field.words.base else { return };
    let name = &base.value;
    if name == "file" || name == "start" {
        return keywords::base(errors, model, index, name);
    }
    match model.field(name) {
        Some((at, other)) if at < index => {
            let place = field.words.place.as_ref().and_then(|place| model.field(&place.value));
            if other.is_located() || other.is_optional() {
                errors.add(
                    name.span(),
                    format!("`{name}` may lie anywhere or nowhere; offsets count from a field of the sequence that is always there"),
                );
            } else if place.is_some_and(|(section, _)| section < at) {
                errors.add(
                    name.span(),
                    format!("`{name}` lies behind the section; offsets into it count from a field before it"),
                );
            }
        }
        Some(_) => {
            let scope = Scope { own: Some(index), ..Scope::first(index) };
            exprs::field(errors, model, name, scope);
        }
        None => errors.add(
            name.span(),
            "`base` is `file`, `start`, this value, or an earlier field; without it offsets count from the enclosing `origin`",
        ),
    }
}
