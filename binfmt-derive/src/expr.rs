//! The closed expressions of declarations: what they are made of.
//!
//! Literals, names of earlier fields and arguments, constants, arithmetic, comparisons, `&& || !`,
//! `if c { a } else { b }`, field access, calls, and a few built-ins. Nothing else: so every
//! expression can be looked into, and emitted once for all products.

mod dips;
mod implies;
mod lift;
mod merge;
mod parse;

use proc_macro2::{Span, TokenStream};
use syn::spanned::Spanned as _;
use syn::{Ident, LitByteStr, LitStr, Member, Path};

pub(crate) use parse::{operand, unless_or};

/// The functions that every expression may call.
pub(crate) const BUILTINS: &[&str] =
    &["len", "count", "start", "end", "tag", "decoded_len", "align_up", "min", "max", "abs"];

/// What joins an argument that follows from the item before, and that of the first item.
pub(crate) const OR: &str = "or";

#[derive(Clone)]
pub(crate) enum Expr {
    Int(u64, Span),
    /// `-1`: a signed number.
    Negative(i64, Span),
    Bool(bool, Span),
    /// `"end"`, to be compared with texts.
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
    /// `align_up(a, b)`, `min(a, b)`, `max(a, b)`, `abs(a)`.
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
    /// How many bytes the coded ones of a field decode to.
    Decoded,
}

impl Measure {
    /// Whether it depends on where the value ends.
    pub(crate) fn needs_end(self) -> bool {
        matches!(self, Self::Len | Self::End)
    }
}

/// Makes the operators, each with its token, how strongly it binds, and the method of the runtime.
macro_rules! operators {
    ($($op:ident $token:literal $binding:literal $method:literal)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Op {
            $($op),*
        }

        impl Op {
            pub(crate) fn token(self) -> &'static str {
                match self { $(Self::$op => $token),* }
            }

            fn binding(self) -> u8 {
                match self { $(Self::$op => $binding),* }
            }

            /// The comparison that holds where this one does not.
            fn opposite(self) -> Option<Self> {
                let pairs = [(Self::Eq, Self::Ne), (Self::Lt, Self::Ge), (Self::Le, Self::Gt)];
                let both = pairs.into_iter().flat_map(|(one, other)| [(one, other), (other, one)]);
                both.into_iter().find_map(|(one, other)| (one == self).then_some(other))
            }

            /// The comparison that says the same when its sides are exchanged.
            pub(crate) fn turned(self) -> Self {
                match self {
                    Self::Lt => Self::Gt,
                    Self::Le => Self::Ge,
                    Self::Gt => Self::Lt,
                    Self::Ge => Self::Le,
                    other => other,
                }
            }

            /// What the runtime calls it between numbers.
            pub(crate) fn method(self) -> &'static str {
                match self { $(Self::$op => $method),* }
            }
        }
    };
}

operators! {
    Or "||" 1 ""
    And "&&" 2 ""
    Eq "==" 3 "is_eq"
    Ne "!=" 3 "is_ne"
    Lt "<" 3 "is_lt"
    Le "<=" 3 "is_le"
    Gt ">" 3 "is_gt"
    Ge ">=" 3 "is_ge"
    BitOr "|" 4 "or"
    BitAnd "&" 5 "and"
    Shl "<<" 6 "shl"
    Shr ">>" 6 "shr"
    Add "+" 7 "add"
    Sub "-" 7 "sub"
    Mul "*" 8 "mul"
    Div "/" 8 "div"
    Rem "%" 8 "rem"
}

impl Op {
    /// The operator of Rust with the same meaning.
    pub(crate) fn tokens(self) -> TokenStream {
        self.token().parse().unwrap_or_default()
    }

    pub(crate) fn is_comparison(self) -> bool {
        self.binding() == 3
    }

    pub(crate) fn is_logic(self) -> bool {
        self.binding() < 3
    }
}

impl Measure {
    /// What it is called in an expression.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Len => "len",
            Self::Count => "count",
            Self::Start => "start",
            Self::End => "end",
            Self::Remaining => "remaining",
            Self::Tag => "tag",
            Self::Decoded => "decoded_len",
        }
    }
}

impl Expr {
    /// A span to report mistakes at.
    pub(crate) fn span(&self) -> Span {
        match self {
            Self::Int(_, span) | Self::Negative(_, span) | Self::Bool(_, span) => *span,
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
            Self::Builtin(name, args) => {
                name == "align_up" || name == "abs" || args.iter().any(Self::has_type)
            }
            _ => true,
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

    /// A name, and the members that lead from it to a part of its value.
    pub(crate) fn part(&self) -> Option<(&Ident, Vec<&Member>)> {
        match self {
            Self::Name(name) => Some((name, Vec::new())),
            Self::Field(inner, member) => {
                let (name, mut members) = inner.part()?;
                members.push(member);
                Some((name, members))
            }
            _ => None,
        }
    }

    /// A name and the members behind it, as they are written.
    pub(crate) fn rendered(&self) -> String {
        match self {
            Self::Name(name) => name.to_string(),
            Self::Field(inner, Member::Named(name)) => format!("{}.{name}", inner.rendered()),
            Self::Field(inner, Member::Unnamed(index)) => {
                format!("{}.{}", inner.rendered(), index.index)
            }
            _ => String::new(),
        }
    }

    /// Whether both are parts of one value of which one is inside the other.
    pub(crate) fn overlaps(&self, (name, path): (&Ident, &[&Member])) -> bool {
        let own = self.part().filter(|(own, _)| *own == name);
        own.is_some_and(|(_, own)| own.iter().zip(path).all(|(a, b)| *a == *b))
    }

    /// The number in `abs(a)`.
    pub(crate) fn magnitude_of(&self) -> Option<&Self> {
        match self {
            Self::Builtin(name, args) if name == "abs" => args.first(),
            _ => None,
        }
    }

    /// Whether it is `it`, or a number of it.
    pub(crate) fn is_of_it(&self) -> bool {
        self.part().is_some_and(|(name, _)| name == "it")
    }

    /// Whether both are the same name, or the same part of it.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.part().is_some_and(|part| other.part() == Some(part))
    }

    /// Whether both are the same number, name or measure, or made of the same in the same way.
    pub(crate) fn is_equal(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Int(one, _), Self::Int(other, _)) => one == other,
            (Self::Path(one), Self::Path(other)) => {
                let names = |path: &Path| {
                    path.segments.iter().map(|part| part.ident.clone()).collect::<Vec<_>>()
                };
                names(one) == names(other)
            }
            (Self::Measure(one, of), Self::Measure(other, field)) => one == other && of == field,
            (Self::Binary(a, one, b), Self::Binary(c, other, d)) => {
                one == other && a.is_equal(c) && b.is_equal(d)
            }
            (Self::If(one, yes, no), Self::If(other, then, or)) => {
                one.is_equal(other) && yes.is_equal(then) && no.is_equal(or)
            }
            (Self::Builtin(one, of), Self::Builtin(other, given)) => {
                let same = one == other && of.len() == given.len();
                same && of.iter().zip(given).all(|(of, given)| of.is_equal(given))
            }
            (Self::Not(one), Self::Not(other)) => one.is_equal(other),
            (Self::Bool(one, _), Self::Bool(other, _)) => one == other,
            (Self::Negative(one, _), Self::Negative(other, _)) => one == other,
            _ => self.is_same(other),
        }
    }

    /// The names whose values the expression uses, each with the members that lead to what it uses.
    pub(crate) fn parts(&self) -> Vec<(&Ident, Vec<&Member>)> {
        let (mut parts, mut inside) = (Vec::new(), 0_usize);
        self.walk(&mut |expr| match expr.part() {
            // What stands in front of a member is a part of that.
            _ if inside > 0 => inside -= 1,
            Some((name, members)) => {
                inside = members.len();
                parts.push((name, members));
            }
            None => {}
        });
        parts
    }

    /// The same without what is only asked whether it is there, or how many there are: `asks` says so of a
    /// name, its members and the method that is called without arguments.
    pub(crate) fn used_parts(
        &self,
        asks: &dyn Fn(&Ident, &[&Member], &Ident) -> bool,
    ) -> Vec<(&Ident, Vec<&Member>)> {
        let (mut parts, mut inside) = (Vec::new(), 0_usize);
        self.walk(&mut |expr| match (expr, expr.part()) {
            _ if inside > 0 => inside -= 1,
            (_, Some((name, members))) => {
                inside = members.len();
                parts.push((name, members));
            }
            (Self::Method(of, method, args), None) if args.is_empty() => {
                let of = of.part().filter(|(name, members)| asks(name, members, method));
                inside = of.map_or(0, |(_, members)| members.len() + 1);
            }
            _ => {}
        });
        parts
    }

    /// Whether a condition decides what it is.
    pub(crate) fn has_branch(&self) -> bool {
        let mut found = false;
        self.walk(&mut |inner| found |= matches!(inner, Self::If(..)));
        found
    }

    /// Calls `visit` for every expression inside, this one first.
    pub(crate) fn walk<'e>(&'e self, visit: &mut dyn FnMut(&'e Self)) {
        visit(self);
        let args: &[Self] = match self {
            Self::Not(inner) | Self::Field(inner, _) => return inner.walk(visit),
            Self::Binary(left, _, right) => {
                left.walk(visit);
                return right.walk(visit);
            }
            Self::If(condition, yes, no) => {
                for part in [condition, yes, no] {
                    part.walk(visit);
                }
                &[]
            }
            Self::Method(inner, _, args) => {
                inner.walk(visit);
                args
            }
            Self::Builtin(_, args) | Self::Call(_, args) => args,
            _ => &[],
        };
        for arg in args {
            arg.walk(visit);
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
            Self::Method(inner, _, args) => {
                inner.replace(change);
                for arg in args {
                    arg.replace(change);
                }
            }
            Self::Builtin(_, args) | Self::Call(_, args) => {
                for arg in args {
                    arg.replace(change);
                }
            }
            _ => {}
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

    /// The same without those of which only is asked whether they are there: that is known before what they hold.
    pub(crate) fn names_of_values(&self) -> Vec<&Ident> {
        let (mut all, mut asked) = (Vec::new(), false);
        self.walk(&mut |expr| {
            if let Self::Name(name) = expr
                && !asked
                && !all.contains(&name)
            {
                all.push(name);
            }
            // What a method is asked of is met next.
            asked = matches!(expr, Self::Method(_, method, _) if method == "is_some" || method == "is_none");
        });
        all
    }

    /// Whether a name stands for a number in the expression itself, and not only in what a function is
    /// given or asked.
    pub(crate) fn has_operand(&self, name: &Ident) -> bool {
        match self {
            Self::Name(own) => own == name,
            Self::Not(inner) => inner.has_operand(name),
            Self::Binary(left, _, right) => left.has_operand(name) || right.has_operand(name),
            Self::If(condition, yes, no) => {
                [condition, yes, no].into_iter().any(|part| part.has_operand(name))
            }
            Self::Builtin(_, args) => args.iter().any(|arg| arg.has_operand(name)),
            _ => false,
        }
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
