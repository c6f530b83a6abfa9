//! Expressions of declarations, read from their text and written in another language.

/// One expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expr {
    Number(u64),
    /// A text or bytes.
    Bytes(Vec<u8>),
    Bool(bool),
    /// `a`, `Kind::Concat`.
    Path(String),
    /// `a.b`.
    Field(Box<Self>, String),
    /// `f(a)`; a method has what it stands behind for its first argument, and a dot before its name.
    Call(String, Vec<Self>),
    Index(Box<Self>, Box<Self>),
    List(Vec<Self>),
    Not(Box<Self>),
    Minus(Box<Self>),
    Two(&'static str, Box<Self>, Box<Self>),
    If(Box<Self>, Box<Self>, Box<Self>),
}

/// Binary operators of Rust, the loosest first; those of one row bind alike.
const OPERATORS: &[&[&str]] = &[
    &["or", "||"],
    &["&&"],
    &["==", "!=", "<=", ">=", "<", ">"],
    &["|"],
    &["^"],
    &["&"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Expr {
    /// The expression that a text says, if it is one of those above.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut parser = Parser { text };
        let expr = parser.two(0)?;
        parser.text.trim().is_empty().then_some(expr)
    }

    /// The names that stand alone in it: fields, arguments and what is bound by the language.
    pub(super) fn names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        self.each(&mut |expr| {
            if let Self::Path(path) = expr
                && !path.contains("::")
                && path.starts_with(|c: char| c.is_lowercase() || c == '_')
            {
                names.push(path.as_str());
            }
        });
        names
    }

    fn each<'e>(&'e self, tell: &mut dyn FnMut(&'e Self)) {
        tell(self);
        match self {
            Self::Number(_) | Self::Bytes(_) | Self::Bool(_) | Self::Path(_) => {}
            Self::Field(inner, _) | Self::Not(inner) | Self::Minus(inner) => inner.each(tell),
            Self::Call(_, list) | Self::List(list) => list.iter().for_each(|expr| expr.each(tell)),
            Self::Index(left, right) | Self::Two(_, left, right) => {
                left.each(tell);
                right.each(tell);
            }
            Self::If(condition, then, other) => {
                for expr in [condition, then, other] {
                    expr.each(tell);
                }
            }
        }
    }
}

struct Parser<'t> {
    text: &'t str,
}

impl<'t> Parser<'t> {
    fn eat(&mut self, token: &str) -> bool {
        let text = self.text.trim_start();
        let Some(rest) = text.strip_prefix(token) else { return false };
        if token.ends_with(char::is_alphanumeric) && rest.starts_with(is_name) {
            return false;
        }
        self.text = rest;
        true
    }

    /// One of these operators, none of which is the start of a longer one that stands there.
    fn operator(&mut self, row: &[&'static str]) -> Option<&'static str> {
        let text = self.text.trim_start();
        let longer = ["==", "!=", "<=", ">=", "<<", ">>", "||", "&&", "=>", ".."];
        let token = longer.into_iter().find(|token| text.starts_with(token));
        let fits = |operator: &&&str| match token {
            Some(token) => **operator == token,
            None => text.starts_with(**operator) && **operator != "or",
        };
        let operator = row.iter().find(fits)?;
        self.text = text.get(operator.len()..)?;
        Some(operator)
    }

    fn two(&mut self, level: usize) -> Option<Expr> {
        let Some(row) = OPERATORS.get(level) else { return self.one() };
        let mut left = self.two(level.checked_add(1)?)?;
        while let Some(operator) = self.operator(row) {
            let right = self.two(level.checked_add(1)?)?;
            left = Expr::Two(operator, Box::new(left), Box::new(right));
        }
        Some(left)
    }

    fn one(&mut self) -> Option<Expr> {
        if self.eat("!") {
            return Some(Expr::Not(Box::new(self.one()?)));
        }
        if self.eat("-") {
            return Some(Expr::Minus(Box::new(self.one()?)));
        }
        let mut expr = self.atom()?;
        loop {
            if self.eat(".") {
                let name = self.name()?.to_owned();
                expr = if self.eat("(") {
                    let mut list = vec![expr];
                    list.extend(self.list(")")?);
                    Expr::Call(format!(".{name}"), list)
                } else {
                    Expr::Field(Box::new(expr), name)
                };
            } else if self.eat("[") {
                let index = self.two(0)?;
                expr = Expr::Index(Box::new(expr), Box::new(index));
                self.eat("]").then_some(())?;
            } else {
                return Some(expr);
            }
        }
    }

    fn atom(&mut self) -> Option<Expr> {
        if self.eat("(") {
            let mut inner = self.two(0)?;
            // The first item has something else in place of what the one before says.
            if self.eat("or") {
                let first = Box::new(self.two(0)?);
                let (index, zero) = (Expr::Path("index".to_owned()), Expr::Number(0));
                let is_first = Expr::Two("==", Box::new(index), Box::new(zero));
                inner = Expr::If(Box::new(is_first), first, Box::new(inner));
            }
            return self.eat(")").then_some(inner);
        }
        if self.eat("[") {
            return self.list("]").map(Expr::List);
        }
        if self.eat("if") {
            let condition = self.two(0)?;
            let then = self.block()?;
            self.eat("else").then_some(())?;
            let other =
                if self.text.trim_start().starts_with("if") { self.atom() } else { self.block() };
            return Some(Expr::If(Box::new(condition), Box::new(then), Box::new(other?)));
        }
        let text = self.text.trim_start();
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            return self.number().map(Expr::Number);
        }
        if let Some((bytes, rest)) = literal(text) {
            self.text = rest;
            return Some(match (text.starts_with("b'"), bytes.as_slice()) {
                (true, [byte]) => Expr::Number(u64::from(*byte)),
                _ => Expr::Bytes(bytes),
            });
        }
        let mut path = self.name()?.to_owned();
        while self.eat("::") {
            path = format!("{path}::{}", self.name()?);
        }
        match path.as_str() {
            "true" | "false" => Some(Expr::Bool(path == "true")),
            _ if self.eat("(") => self.list(")").map(|list| Expr::Call(path, list)),
            _ => Some(Expr::Path(path)),
        }
    }

    fn block(&mut self) -> Option<Expr> {
        self.eat("{").then_some(())?;
        let inner = self.two(0)?;
        self.eat("}").then_some(inner)
    }

    fn list(&mut self, end: &str) -> Option<Vec<Expr>> {
        let mut list = Vec::new();
        while !self.eat(end) {
            list.push(self.two(0)?);
            if !self.eat(",") {
                return self.eat(end).then_some(list);
            }
        }
        Some(list)
    }

    fn name(&mut self) -> Option<&'t str> {
        let text = self.text.trim_start();
        let text = text.strip_prefix("r#").unwrap_or(text);
        let (name, rest) = text.split_at(text.find(|c| !is_name(c)).unwrap_or(text.len()));
        self.text = rest;
        (!name.is_empty()).then_some(name)
    }

    fn number(&mut self) -> Option<u64> {
        let text = self.name()?;
        number(text).map(|(number, _)| number)
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A number as Rust writes it, and the type that stands behind it, if any.
pub(super) fn number(text: &str) -> Option<(u64, &str)> {
    let (radix, digits) = match text.get(..2) {
        Some("0x") => (16, text.get(2..)?),
        Some("0o") => (8, text.get(2..)?),
        Some("0b") => (2, text.get(2..)?),
        _ => (10, text),
    };
    let end = digits.find(|c: char| c != '_' && !c.is_digit(radix)).unwrap_or(digits.len());
    let (digits, ty) = digits.split_at(end);
    Some((u64::from_str_radix(&digits.replace('_', ""), radix).ok()?, ty))
}

/// The bytes of a literal that a text begins with, and what stands behind it.
pub(super) fn literal(text: &str) -> Option<(Vec<u8>, &str)> {
    let inside = text.strip_prefix('b').unwrap_or(text);
    let quote = inside.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let (mut bytes, mut chars) = (Vec::new(), inside.get(1..)?.chars());
    loop {
        match chars.next()? {
            c if c == quote => return Some((bytes, chars.as_str())),
            '\\' => bytes.push(match chars.next()? {
                'n' => b'\n',
                'r' => b'\r',
                't' => b'\t',
                '0' => 0,
                'x' => {
                    let digits = chars.as_str().get(..2)?;
                    chars = chars.as_str().get(2..)?.chars();
                    u8::from_str_radix(digits, 16).ok()?
                }
                c => u8::try_from(c).ok()?,
            }),
            c => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let expr = Expr::parse(text).map(|expr| format!("{expr:?}"));
        assert_eq!(expr.as_deref(), Some(expected), "{text}");
    }

    #[test]
    fn operators_bind_as_in_rust() {
        check("1 + 2 * 3", r#"Two("+", Number(1), Two("*", Number(2), Number(3)))"#);
        check("a & 8 == 0", r#"Two("==", Two("&", Path("a"), Number(8)), Number(0))"#);
        check("8 - 4 - 2", r#"Two("-", Two("-", Number(8), Number(4)), Number(2))"#);
        check(
            "!a || b && c < 1 << 2",
            r#"Two("||", Not(Path("a")), Two("&&", Path("b"), Two("<", Path("c"), Two("<<", Number(1), Number(2)))))"#,
        );
    }

    #[test]
    fn everything_that_declarations_say_is_read() {
        check("0x675C_3ED9u32", "Number(1734098649)");
        check("b'0'", "Number(48)");
        check(r#"b"PK\x05\0""#, "Bytes([80, 75, 5, 0])");
        check("Kind::Concat", r#"Path("Kind::Concat")"#);
        check("it.offset", r#"Field(Path("it"), "offset")"#);
        check(
            "(previous or 1)",
            r#"If(Two("==", Path("index"), Number(0)), Number(1), Path("previous"))"#,
        );
        check("x.is_known(1,)", r#"Call(".is_known", [Path("x"), Number(1)])"#);
        check("len(a[2])", r#"Call("len", [Index(Path("a"), Number(2))])"#);
        check("[1, a]", r#"List([Number(1), Path("a")])"#);
        check(
            "if a != 0 { a } else if b { 1 } else { 2 }",
            r#"If(Two("!=", Path("a"), Number(0)), Path("a"), If(Path("b"), Number(1), Number(2)))"#,
        );
        for odd in ["", "a +", "a b", "if a { b }", "a[1", "|x| x", "\"a", "a as u8", "1..2"] {
            assert_eq!(Expr::parse(odd), None, "{odd}");
        }
        assert_eq!(Expr::parse("a + f(b.c, D::e) * E").unwrap().names(), ["a", "b"]);
    }
}
