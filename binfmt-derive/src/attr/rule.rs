//! `check`, `error`, `warn` and `note`: a condition, and a text for when it does not hold.

use syn::{Ident, LitStr, Token};

use super::value::{Reading, Value};
use crate::expr::Expr;

/// `check(cond, "text")` and its kin.
pub(crate) struct Rule {
    pub(crate) kind: RuleKind,
    pub(crate) condition: Expr,
    pub(crate) text: LitStr,
    pub(crate) code: Option<LitStr>,
    /// Whether it comes from `range` or `one_of`, which look into an `Option`.
    pub(crate) limit: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum RuleKind {
    Check,
    Error,
    Warn,
    Note,
}

impl RuleKind {
    /// The word that makes such a rule.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Note => "note",
        }
    }
}

impl Value for Rule {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
        let word = at.word.to_string();
        let example = format!("{word}(size > 0, \"the size is 0\")");
        let text_missing =
            at.wrong(format!("`{word}` needs a text that says what is wrong: `{example}`"));
        let inner = at.list("an expression is missing here")?;
        let condition = inner.parse()?;
        if inner.is_empty() {
            return Err(text_missing);
        }
        if !inner.peek(Token![,]) {
            return Err(syn::Error::new(inner.span(), "a comma is missing before the text"));
        }
        inner.parse::<Token![,]>()?;
        if inner.is_empty() {
            return Err(text_missing);
        }
        let text: LitStr = inner.parse().map_err(|error| {
            syn::Error::new(error.span(), "the text is a string: `\"the size is 0\"`")
        })?;
        let mut code = None;
        if inner.peek(Token![,]) {
            inner.parse::<Token![,]>()?;
            if !inner.is_empty() {
                code = Some(self::code(&inner)?);
            }
        }
        if !inner.is_empty() {
            return Err(syn::Error::new(inner.span(), "nothing may follow here"));
        }
        let kind = match word.as_str() {
            "check" => RuleKind::Check,
            "error" => RuleKind::Error,
            "warn" => RuleKind::Warn,
            _ => RuleKind::Note,
        };
        Ok(Self { kind, condition, text, code, limit: false })
    }

    fn exprs(&self) -> Vec<&Expr> {
        vec![&self.condition]
    }

    fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        vec![&mut self.condition]
    }
}

/// `code = "vendor"`.
fn code(input: syn::parse::ParseStream<'_>) -> syn::Result<LitStr> {
    let example = "code = \"vendor\"";
    let span = input.span();
    let key = input.parse::<Ident>().ok().filter(|key| key == "code");
    let key =
        key.ok_or_else(|| syn::Error::new(span, "only `code = \"..\"` may follow the text"))?;
    super::value::equals(input, &key, example)?;
    input.parse().map_err(|error| {
        syn::Error::new(error.span(), format!("`code` is given as in `{example}`"))
    })
}
