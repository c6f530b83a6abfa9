//! The closed expressions of declarations: what they are made of.
//!
//! Literals, names of earlier fields and arguments, constants, arithmetic, comparisons, `&& || !`,
//! `if c { a } else { b }`, field access, calls, and a few built-ins. Nothing else: so every
//! expression can be looked into, and emitted once for all products.

mod parse;

use proc_macro2::Span;
use syn::spanned::Spanned as _;
use syn::{Ident, LitByteStr, LitStr, Member, Path};

pub(crate) use parse::operand;

/// The functions that every expression may call.
pub(crate) const BUILTINS: &[&str] =
    &["len", "count", "start", "end", "tag", "align_up", "min", "max"];

#[derive(Clone)]
pub(crate) enum Expr {
    Int(u64, Span),
    Bool(bool, Span),
    /// A text to compare with; `one_of` alone makes it.
    Text(LitStr),
    /// `b"WAVE"`, to be compared with bytes.
    Bytes(LitByteStr),
    /// A field, an argument, or `remaining`.
    Name(Ident),
    /// A constant or a variant.
    Path(Path),
    Not(Box<Self>),
    Binary(Box<Self>, Op, Box<Self>),
    If(Box<Self>, Box<Self>, Box<Self>),
    /// `len(field)`, `count(field)`, `start(field)`, `end(field)`, `tag(field)` or `remaining`.
    Measure(Measure, Ident),
    /// `align_up(a, b)`, `min(a, b)`, `max(a, b)`.
    Builtin(Ident, Vec<Self>),
    Field(Box<Self>, Member),
    Call(Path, Vec<Self>),
    Method(Box<Self>, Ident, Vec<Self>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Measure {
    Len,
    Count,
    /// Where a field starts, counted from the `origin`.
    Start,
    /// Where a field ends, counted likewise.
    End,
    /// The bytes left in the region where a field begins.
    Remaining,
    /// The tag of the variant that a field holds.
    Tag,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Op {
    Or,
    And,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    BitOr,
    BitAnd,
    Shl,
    Shr,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

impl Op {
    fn binding(self) -> u8 {
        match self {
            Self::Or => 1,
            Self::And => 2,
            Self::Eq | Self::Ne | Self::Lt | Self::Le | Self::Gt | Self::Ge => 3,
            Self::BitOr => 4,
            Self::BitAnd => 5,
            Self::Shl | Self::Shr => 6,
            Self::Add | Self::Sub => 7,
            Self::Mul | Self::Div | Self::Rem => 8,
        }
    }

    pub(crate) fn is_comparison(self) -> bool {
        self.binding() == 3
    }

    pub(crate) fn is_logic(self) -> bool {
        self.binding() < 3
    }
}

impl Measure {
    /// Whether it is known once all places are.
    pub(crate) fn is_place(self) -> bool {
        matches!(self, Self::Start | Self::End | Self::Remaining)
    }
}

impl Expr {
    /// A span to report mistakes at.
    pub(crate) fn span(&self) -> Span {
        match self {
            Self::Int(_, span) | Self::Bool(_, span) => *span,
            Self::Text(text) => text.span(),
            Self::Bytes(bytes) => bytes.span(),
            Self::Name(name) | Self::Measure(_, name) | Self::Builtin(name, _) => name.span(),
            Self::Path(path) | Self::Call(path, _) => path.span(),
            Self::Not(inner) | Self::Field(inner, _) | Self::Method(inner, ..) => inner.span(),
            Self::Binary(left, ..) | Self::If(left, ..) => left.span(),
        }
    }

    /// Whether a number has a type of its own, as all but literals and what is made of them.
    pub(crate) fn has_type(&self) -> bool {
        match self {
            Self::Int(..) => false,
            Self::Binary(left, _, right) => left.has_type() || right.has_type(),
            Self::If(_, yes, no) => yes.has_type() || no.has_type(),
            Self::Builtin(name, args) => name == "align_up" || args.iter().any(Self::has_type),
            _ => true,
        }
    }

    /// Whether the type of a number is not seen: a part of a value, a constant, what a function
    /// gives.
    pub(crate) fn is_opaque(&self) -> bool {
        match self {
            Self::Field(..) | Self::Call(..) | Self::Method(..) | Self::Path(_) => true,
            Self::Binary(left, _, right) => left.is_opaque() || right.is_opaque(),
            Self::If(_, yes, no) => yes.is_opaque() || no.is_opaque(),
            Self::Builtin(_, args) => args.iter().any(Self::is_opaque),
            _ => false,
        }
    }

    /// The spans of the first and the last token, as far as they are known.
    pub(crate) fn ends(&self) -> (Span, Span) {
        let last = match self {
            Self::Binary(_, _, right) => right.ends().1,
            Self::If(_, _, no) => no.ends().1,
            Self::Not(inner) => inner.ends().1,
            Self::Field(_, member) => member.span(),
            Self::Method(_, name, _) => name.span(),
            Self::Builtin(name, args) => {
                args.last().map_or_else(|| name.span(), |arg| arg.ends().1)
            }
            Self::Path(path) | Self::Call(path, _) => {
                path.segments.last().map_or_else(|| path.span(), |part| part.ident.span())
            }
            _ => self.span(),
        };
        (self.span(), last)
    }

    /// Calls `visit` for every expression inside, this one first.
    pub(crate) fn walk<'e>(&'e self, visit: &mut dyn FnMut(&'e Self)) {
        visit(self);
        match self {
            Self::Int(..)
            | Self::Bool(..)
            | Self::Text(_)
            | Self::Bytes(_)
            | Self::Name(_)
            | Self::Path(_)
            | Self::Measure(..) => {}
            Self::Not(inner) | Self::Field(inner, _) => inner.walk(visit),
            Self::Binary(left, _, right) => {
                left.walk(visit);
                right.walk(visit);
            }
            Self::If(condition, yes, no) => {
                condition.walk(visit);
                yes.walk(visit);
                no.walk(visit);
            }
            Self::Builtin(_, args) | Self::Call(_, args) => {
                for arg in args {
                    arg.walk(visit);
                }
            }
            Self::Method(inner, _, args) => {
                inner.walk(visit);
                for arg in args {
                    arg.walk(visit);
                }
            }
        }
    }

    /// Calls `change` for every name whose value the expression uses.
    pub(crate) fn rename(&mut self, change: &mut dyn FnMut(&mut Ident)) {
        self.replace(&mut |expr| {
            if let Self::Name(name) = expr {
                change(name);
            }
        });
    }

    /// Calls `change` for every expression inside, this one last.
    pub(crate) fn replace(&mut self, change: &mut dyn FnMut(&mut Self)) {
        match self {
            Self::Not(inner) | Self::Field(inner, _) => inner.replace(change),
            Self::Binary(left, _, right) => {
                left.replace(change);
                right.replace(change);
            }
            Self::If(condition, yes, no) => {
                for part in [condition, yes, no] {
                    part.replace(change);
                }
            }
            Self::Builtin(_, args) | Self::Call(_, args) => {
                for arg in args {
                    arg.replace(change);
                }
            }
            Self::Method(inner, _, args) => {
                inner.replace(change);
                for arg in args {
                    arg.replace(change);
                }
            }
            Self::Int(..)
            | Self::Bool(..)
            | Self::Text(_)
            | Self::Bytes(_)
            | Self::Name(_)
            | Self::Path(_)
            | Self::Measure(..) => {}
        }
        change(self);
    }

    /// The names whose values the expression uses, each once, in order of appearance.
    pub(crate) fn names(&self) -> Vec<&Ident> {
        let mut names: Vec<&Ident> = Vec::new();
        self.walk(&mut |expr| {
            if let Self::Name(name) = expr
                && !names.contains(&name)
            {
                names.push(name);
            }
        });
        names
    }

    /// The fields whose length or count the expression asks for.
    pub(crate) fn measures(&self) -> Vec<(Measure, &Ident)> {
        let mut found: Vec<(Measure, &Ident)> = Vec::new();
        self.walk(&mut |expr| {
            if let Self::Measure(measure, field) = expr
                && !found.contains(&(*measure, field))
            {
                found.push((*measure, field));
            }
        });
        found
    }
}
