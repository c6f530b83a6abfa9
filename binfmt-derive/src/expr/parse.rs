//! Reading an expression.

use proc_macro2::{Delimiter, TokenTree};
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::{Ident, Index, Lit, LitFloat, LitInt, Member, Path, Token, parenthesized};

use super::{BUILTINS, Expr, Measure, OR, Op};

impl Op {
    fn peek(input: ParseStream<'_>) -> Option<Self> {
        macro_rules! first {
            ($($token:tt $op:ident)*) => { $(if input.peek(Token![$token]) { return Some(Self::$op); })* };
        }
        first!(|| Or && And == Eq != Ne <= Le >= Ge << Shl >> Shr);
        // Longer tokens that begin like one of ours are not part of the language.
        if input.peek(Token![..]) || input.peek(Token![=>]) {
            return None;
        }
        first!(< Lt > Gt | BitOr & BitAnd + Add - Sub * Mul / Div % Rem);
        None
    }

    fn skip(self, input: ParseStream<'_>) -> syn::Result<()> {
        self.token().chars().try_for_each(|_| input.parse::<TokenTree>().map(|_| ()))
    }
}

impl Parse for Expr {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let expr = binary(input, 0)?;
        match unfinished(input) {
            None => Ok(expr),
            Some(message) => Err(syn::Error::new(input.span(), message)),
        }
    }
}

/// An expression that a range may follow, or end with.
pub(crate) fn operand(input: ParseStream<'_>) -> syn::Result<Expr> {
    let expr = binary(input, 0)?;
    match unfinished(input) {
        Some(message) if !input.peek(Token![..]) => Err(syn::Error::new(input.span(), message)),
        _ => Ok(expr),
    }
}

/// What may not follow an expression, though it does in Rust.
fn unfinished(input: ParseStream<'_>) -> Option<&'static str> {
    Some(if input.peek(Token![..]) {
        "ranges have no place in an expression"
    } else if input.peek(Token![as]) {
        "casts have no place in an expression; numbers are widened to 64 bits by themselves"
    } else if input.peek(Token![?]) {
        "`?` has no place in an expression; whatever cannot be computed stops the reader by itself"
    } else if input.peek(Token![=]) && !input.peek(Token![=>]) {
        "assignments have no place in an expression; compare with `==`"
    } else if input.peek(Token![!]) {
        "macros have no place in an expression; call a function of your own instead"
    } else if input.peek(Token![^]) {
        "`^` has no place in an expression; call a function of your own instead"
    } else if input.peek(syn::token::Bracket) {
        "indexing has no place in an expression; call a function of your own instead"
    } else {
        return None;
    })
}

fn binary(input: ParseStream<'_>, least: u8) -> syn::Result<Expr> {
    let mut left = unary(input)?;
    while let Some(op) = Op::peek(input).filter(|op| op.binding() > least) {
        op.skip(input)?;
        let right = binary(input, op.binding())?;
        left = Expr::Binary(Box::new(left), op, Box::new(right));
    }
    Ok(left)
}

fn unary(input: ParseStream<'_>) -> syn::Result<Expr> {
    if input.peek(Token![!]) {
        input.parse::<Token![!]>()?;
        return Ok(Expr::Not(Box::new(unary(input)?)));
    }
    if input.peek(Token![-]) {
        return negative(input);
    }
    let mut expr = atom(input)?;
    while input.peek(Token![.]) && !input.peek(Token![..]) {
        input.parse::<Token![.]>()?;
        if input.peek(LitInt) {
            expr = Expr::Field(Box::new(expr), input.parse()?);
            continue;
        }
        // The compiler takes the `1.0` of `pair.1.0` for one number.
        if input.peek(LitFloat) {
            let parts: LitFloat = input.parse()?;
            for part in parts.to_string().split('.') {
                let index = LitInt::new(part, parts.span()).base10_parse()?;
                let member = Member::Unnamed(Index { index, span: parts.span() });
                expr = Expr::Field(Box::new(expr), member);
            }
            continue;
        }
        let name: Ident = input.parse().map_err(|error| {
            syn::Error::new(
                error.span(),
                "only named fields and methods have a place in an expression",
            )
        })?;
        expr = if input.peek(syn::token::Paren) {
            Expr::Method(Box::new(expr), name, arguments(input)?)
        } else {
            Expr::Field(Box::new(expr), Member::Named(name))
        };
    }
    Ok(expr)
}

/// What a `macro_rules!` was given as one expression is one, whatever stands around it.
fn given(input: ParseStream<'_>) -> Option<syn::Result<Expr>> {
    input.cursor().group(Delimiter::None)?;
    let Ok(TokenTree::Group(group)) = input.parse() else { return None };
    let expr = match Expr::parse.parse2(group.stream()) {
        Ok(Expr::Name(name)) if input.peek(syn::token::Paren) => Expr::Path(name.into()),
        Ok(expr) => expr,
        Err(error) => return Some(Err(error)),
    };
    Some(match expr {
        Expr::Path(path) if input.peek(syn::token::Paren) => {
            arguments(input).map(|args| Expr::Call(path, args))
        }
        expr => Ok(expr),
    })
}

fn atom(input: ParseStream<'_>) -> syn::Result<Expr> {
    if let Some(expr) = given(input) {
        return expr;
    }
    if input.peek(Token![if]) {
        return conditional(input);
    }
    if input.peek(syn::token::Paren) {
        let inner;
        parenthesized!(inner in input);
        let expr = or_first(&inner)?;
        return if inner.is_empty() { Ok(expr) } else { Err(foreign(&inner)) };
    }
    if input.peek(Lit) && !input.peek(Token![-]) {
        return literal(input);
    }
    if input.peek(Ident)
        || input.peek(Token![::])
        || input.peek(Token![crate])
        || input.peek(Token![self])
        || input.peek(Token![Self])
        || input.peek(Token![super])
    {
        return path_or_call(input);
    }
    Err(foreign(input))
}

/// What stands between parentheses: `previous.end or 0` has another value for the first item.
fn or_first(input: ParseStream<'_>) -> syn::Result<Expr> {
    let expr = input.parse()?;
    if !input.peek(Ident) || input.fork().parse::<Ident>()? != OR {
        return Ok(expr);
    }
    let or = input.parse()?;
    Ok(Expr::Builtin(or, vec![expr, input.parse()?]))
}

/// What is said of tokens behind an expression: of an `or`, that it stands between parentheses.
pub(crate) fn unless_or(input: ParseStream<'_>, wrong: &'static str) -> &'static str {
    let is_or = input.fork().parse::<Ident>().is_ok_and(|name| name == OR);
    if is_or {
        "`or` and what stands around it are in parentheses: `(previous.end or 0)`"
    } else {
        wrong
    }
}

fn literal(input: ParseStream<'_>) -> syn::Result<Expr> {
    let lit: Lit = input.parse()?;
    match &lit {
        Lit::Int(int) => match int.base10_parse() {
            Ok(value) => Ok(Expr::Int(value, int.span())),
            Err(_) => Err(syn::Error::new(
                int.span(),
                "numbers in expressions have 64 bits; this one has more",
            )),
        },
        Lit::Byte(byte) => Ok(Expr::Int(u64::from(byte.value()), byte.span())),
        Lit::ByteStr(bytes) => Ok(Expr::Bytes(bytes.clone())),
        Lit::Str(text) => Ok(Expr::Text(text.clone())),
        Lit::Bool(value) => Ok(Expr::Bool(value.value, value.span)),
        Lit::Char(char) if char.value().is_ascii() => Err(syn::Error::new(
            char.span(),
            format!(
                "a character has no place in an expression; write the byte: `b{}`",
                char.token()
            ),
        )),
        other => Err(syn::Error::new(
            other.span(),
            "this literal has no place in an expression; use integers, `true`, `false`, texts (`\"end\"`) or bytes (`b\"WAVE\"`)",
        )),
    }
}

/// What stands behind a minus is taken from a signed 0, so that it may be above it.
fn negative(input: ParseStream<'_>) -> syn::Result<Expr> {
    let minus = input.parse::<Token![-]>()?.span;
    if !input.peek(LitInt) {
        let number = unary(input)?;
        return Ok(Expr::Binary(Box::new(Expr::Negative(0, minus)), Op::Sub, Box::new(number)));
    }
    let number: LitInt = input.parse()?;
    let value = format!("-{}", number.base10_digits()).parse();
    let too_large = "a negative number in an expression has 64 bits; this one has more";
    value
        .map(|value| Expr::Negative(value, number.span()))
        .map_err(|_| syn::Error::new(number.span(), too_large))
}

fn conditional(input: ParseStream<'_>) -> syn::Result<Expr> {
    let start = input.parse::<Token![if]>()?.span;
    let condition = input.parse()?;
    let yes = branch(input)?;
    if !input.peek(Token![else]) {
        return Err(syn::Error::new(start, "an `if` in an expression needs an `else`"));
    }
    input.parse::<Token![else]>()?;
    let no = if input.peek(Token![if]) { conditional(input)? } else { branch(input)? };
    Ok(Expr::If(Box::new(condition), Box::new(yes), Box::new(no)))
}

fn branch(input: ParseStream<'_>) -> syn::Result<Expr> {
    if !input.peek(syn::token::Brace) {
        return Err(syn::Error::new(
            input.span(),
            "the branches of an `if` stand in braces: `if a { b } else { c }`",
        ));
    }
    let inner;
    syn::braced!(inner in input);
    let expr = inner.parse()?;
    if inner.is_empty() { Ok(expr) } else { Err(foreign(&inner)) }
}

fn path_or_call(input: ParseStream<'_>) -> syn::Result<Expr> {
    if input.peek(Token![self]) {
        return Err(syn::Error::new(input.span(), "fields are named without `self`"));
    }
    let path = Path::parse_mod_style(input).map_err(|error| {
        syn::Error::new(error.span(), "a path ends in a name, without generics")
    })?;
    let single = path.get_ident().cloned();
    if !input.peek(syn::token::Paren) {
        return Ok(match single {
            Some(name) if starts_lower(&name) => Expr::Name(name),
            _ => Expr::Path(path),
        });
    }
    let args = arguments(input)?;
    let Some(name) = single.filter(|name| BUILTINS.contains(&name.to_string().as_str())) else {
        return Ok(Expr::Call(path, args));
    };
    builtin(&name, args)
}

fn builtin(name: &Ident, args: Vec<Expr>) -> syn::Result<Expr> {
    let measure = match name.to_string().as_str() {
        "len" => Measure::Len,
        "count" => Measure::Count,
        "start" => Measure::Start,
        "end" => Measure::End,
        "tag" => Measure::Tag,
        "decoded_len" => Measure::Decoded,
        known => {
            let (count, taken) =
                if known == "abs" { (1, "one number") } else { (2, "two numbers") };
            if args.len() == count {
                return Ok(Expr::Builtin(name.clone(), args));
            }
            return Err(syn::Error::new(name.span(), format!("`{name}` takes {taken}")));
        }
    };
    match args.as_slice() {
        [Expr::Name(field)] => Ok(Expr::Measure(measure, field.clone())),
        _ => Err(syn::Error::new(name.span(), format!("`{name}` takes the name of one field"))),
    }
}

fn arguments(input: ParseStream<'_>) -> syn::Result<Vec<Expr>> {
    let inner;
    parenthesized!(inner in input);
    let mut list = Vec::new();
    while !inner.is_empty() {
        list.push(inner.parse()?);
        if inner.is_empty() {
            break;
        }
        if !inner.peek(Token![,]) {
            let missing = "an argument ends here; a comma is missing";
            return Err(syn::Error::new(inner.span(), unless_or(&inner, missing)));
        }
        inner.parse::<Token![,]>()?;
    }
    Ok(list)
}

/// What cannot be part of an expression, said in our words rather than in those of `syn`.
fn foreign(input: ParseStream<'_>) -> syn::Error {
    let message = if input.is_empty() {
        "an expression is missing here"
    } else if input.peek(Token![..]) {
        "ranges have no place in an expression"
    } else if input.peek(Token![|]) || input.peek(Token![move]) {
        "closures have no place in an expression; call a function of your own instead"
    } else if input.peek(syn::token::Brace) {
        "blocks have no place in an expression; call a function of your own instead"
    } else {
        "this has no place in an expression; use fields, constants, arithmetic, comparisons and calls"
    };
    syn::Error::new(input.span(), message)
}

fn starts_lower(name: &Ident) -> bool {
    name.to_string().trim_start_matches("r#").starts_with(|c: char| c.is_lowercase() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Expr, String> {
        syn::parse_str::<Expr>(text).map_err(|error| error.to_string())
    }

    #[test]
    fn multiplication_binds_tighter_than_addition() {
        let Ok(Expr::Binary(_, Op::Add, right)) = parse("a + b * 2") else { panic!("not a sum") };
        assert!(matches!(*right, Expr::Binary(_, Op::Mul, _)));
    }

    #[test]
    fn subtraction_groups_to_the_left() {
        let Ok(Expr::Binary(left, Op::Sub, _)) = parse("a - b - c") else {
            panic!("no difference")
        };
        assert!(matches!(*left, Expr::Binary(_, Op::Sub, _)));
    }

    #[test]
    fn names_are_listed_once() {
        let expr = parse("a + b * a + len(c) + K").unwrap();
        assert_eq!(expr.names().iter().map(ToString::to_string).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(expr.measures().len(), 1);
    }

    #[test]
    fn foreign_syntax_is_named() {
        let cases = [
            ("|x| x", "closures"),
            ("{ a }", "blocks"),
            ("-9223372036854775809", "64 bits"),
            ("if a { b }", "needs an `else`"),
            ("1.5", "literal"),
            ("len(1)", "takes the name of one field"),
            ("min(a)", "takes two numbers"),
            ("abs(a, b)", "takes one number"),
        ];
        for (text, words) in cases {
            let error = parse(text).err().unwrap_or_default();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
