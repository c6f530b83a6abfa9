//! Every expression of a declaration, with what is known where it stands and what it is for.

use super::{Body, Field, Kind, Model, Numeric};
use crate::attr::{Known, Purpose, Role, Row, Words};
use crate::expr::{Expr, Measure};

/// One expression of a declaration.
#[derive(Clone, Copy)]
pub(crate) struct Use<'m> {
    /// The word that it belongs to.
    pub(crate) row: &'static Row,
    pub(crate) role: Role,
    pub(crate) owner: Owner,
    pub(crate) expr: &'m Expr,
}

/// Whose word an expression belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    Type,
    Field(usize),
    /// One value of a field with `for_each`.
    Element(usize),
    Variant(usize),
}

/// Where an expression stands: how many fields are known there.
#[derive(Clone, Copy)]
pub(crate) struct Scope {
    /// Fields whose values are known.
    pub(crate) values: usize,
    /// Fields whose lengths and counts are known.
    pub(crate) measures: usize,
    /// Whether fields at offsets have been read by then.
    pub(crate) located: bool,
    /// The field whose word it is.
    pub(crate) own: Option<usize>,
    /// Whether `it` is an item of a table.
    pub(crate) item: bool,
}

impl Scope {
    /// Every field of the type.
    pub(crate) fn all(model: &Model<'_>) -> Self {
        Self::first(model.fields().len())
    }

    /// The first fields of the type.
    pub(crate) fn first(count: usize) -> Self {
        Self { values: count, measures: count, located: true, own: None, item: false }
    }

    /// What the rules of a field see.
    pub(crate) fn of_rules(index: usize, field: &Field<'_>) -> Self {
        Self {
            located: field.is_located(),
            own: Some(index),
            ..Self::first(index.saturating_add(1))
        }
    }
}

impl Use<'_> {
    /// Whether its value decides how many bytes are written, or in which form.
    pub(crate) fn is_shape(&self) -> bool {
        self.role.purpose == Purpose::Shape
    }

    /// The index of the field whose word it is.
    pub(crate) fn field(&self) -> Option<usize> {
        match self.owner {
            Owner::Field(index) | Owner::Element(index) => Some(index),
            Owner::Type | Owner::Variant(_) => None,
        }
    }

    /// The fields that are known where it stands.
    pub(crate) fn scope(&self, model: &Model<'_>) -> Scope {
        let whole = Scope::all(model);
        let Some((index, field)) =
            self.field().and_then(|index| model.fields().get(index).map(|field| (index, field)))
        else {
            return whole;
        };
        let item = matches!(self.owner, Owner::Element(_));
        let located = field.is_located();
        let before = Scope { located, own: Some(index), item, ..Scope::first(index) };
        let next = index.saturating_add(1);
        match self.role.known {
            Known::Before => before,
            Known::Behind => Scope { measures: next, ..before },
            Known::Own => Scope { values: next, measures: next, ..before },
            // What is said of an item is compared when its value has been read.
            Known::All if item => before,
            Known::All => whole,
        }
    }
}

impl Words {
    fn uses(&self, owner: Owner) -> impl Iterator<Item = Use<'_>> {
        let exprs = self.exprs().into_iter();
        exprs.filter_map(move |(row, expr)| Some(Use { row, role: row.expr?, owner, expr }))
    }
}

impl Field<'_> {
    /// The expressions of the field, which is the one at `index` or one value of it.
    pub(crate) fn exprs(&self, index: usize) -> impl Iterator<Item = Use<'_>> {
        let owner = if self.is_element { Owner::Element(index) } else { Owner::Field(index) };
        self.words.uses(owner).filter(|one| one.role.purpose != Purpose::Part)
    }
}

impl Model<'_> {
    /// Every expression of the declaration that is evaluated: what became a part of another one,
    /// as a `flag` of a condition, is there.
    pub(crate) fn exprs(&self) -> Vec<Use<'_>> {
        let mut list: Vec<Use<'_>> = Vec::new();
        for (index, field) in self.fields().iter().enumerate() {
            list.extend(field.exprs(index));
            list.extend(field.parallel.iter().flat_map(|parallel| parallel.element.exprs(index)));
        }
        if let Body::Union(variants) = &self.body {
            let indexed = variants.iter().enumerate();
            list.extend(indexed.flat_map(|(index, one)| one.words.uses(Owner::Variant(index))));
        }
        list.extend(self.words.uses(Owner::Type));
        list.retain(|one| one.role.purpose != Purpose::Part);
        list
    }

    /// Whether what is to be set is seen to be a condition, which a `bool` takes, and no number.
    pub(crate) fn is_condition(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Bool(..) | Expr::Not(_) => true,
            Expr::Binary(_, op, _) => op.is_comparison() || op.is_logic(),
            Expr::If(_, yes, _) => self.is_condition(yes),
            Expr::Method(_, name, _) => name == "contains" || name.to_string().starts_with("is_"),
            Expr::Name(name) => {
                let field = self.field(name).filter(|(_, field)| !field.is_optional());
                let parameter = self.parameters().iter().find(|parameter| parameter.name == *name);
                let kind = field.map(|(_, field)| field.kind);
                kind.or(parameter.map(|parameter| Kind::of(&parameter.ty)))
                    .and_then(Kind::scalar)
                    .is_some_and(|scalar| scalar.numeric == Numeric::Bool)
            }
            _ => false,
        }
    }

    /// Every length, count and place that an expression asks for. Every field asks for the list, so it is
    /// made once.
    pub(crate) fn measures(&self) -> Vec<(Measure, &Field<'_>)> {
        let list = self.measured.get_or_init(|| self.measured());
        let field =
            |(measure, index): &(Measure, usize)| Some((*measure, self.fields().get(*index)?));
        list.iter().filter_map(field).collect()
    }

    fn measured(&self) -> Vec<(Measure, usize)> {
        let mut list: Vec<(Measure, usize)> = Vec::new();
        let exprs = self.exprs();
        let referenced = exprs.iter().flat_map(|one| one.expr.measures());
        let referenced =
            referenced.filter_map(|(measure, name)| Some((measure, self.field(name)?.0)));
        let bases = self.fields().iter().filter_map(|field| self.base_of(field));
        for one in referenced.chain(bases.map(|index| (Measure::Start, index))) {
            if !list.contains(&one) {
                list.push(one);
            }
        }
        list
    }
}
