//! `check`, `error`, `warn` and `note`: a condition, and a text for when it does not hold.

use syn::{Ident, LitStr, Token};

use super::value::{Reading, Value};
use crate::expr::Expr;

/// `check(cond, "text")` and its kin.
pub(crate) struct Rule {
    pub(crate) kind: RuleKind,
    pub(crate) condition: Expr,
    pub(crate) text: LitStr,
    /// What the text shows, or what is wrong with its braces.
    pub(crate) placeholders: Result<Vec<Placeholder>, &'static str>,
    pub(crate) code: Option<LitStr>,
    /// Whether it comes from `range` or `one_of`, which look into an `Option`.
    pub(crate) limit: bool,
}

/// `{name:spec}` in a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Placeholder {
    pub(crate) name: String,
    pub(crate) spec: String,
}

impl Placeholder {
    /// What the placeholder names, if that is a name; `{type}` is the field `r#type`.
    pub(crate) fn ident(&self, text: &LitStr) -> Option<Ident> {
        let ident = syn::parse_str::<Ident>(&self.name);
        let mut ident = ident.or_else(|_| syn::parse_str(&format!("r#{}", self.name))).ok()?;
        ident.set_span(text.span());
        Some(ident)
    }
}

impl Rule {
    /// A rule with that text.
    pub(crate) fn new(
        kind: RuleKind,
        condition: Expr,
        text: &LitStr,
        code: Option<LitStr>,
        limit: bool,
    ) -> Self {
        let text = LitStr::new(&text.value().replace("{r#", "{"), text.span());
        let placeholders = placeholders(&text.value());
        Self { kind, condition, text, placeholders, code, limit }
    }

    /// The names that the text shows, each once.
    pub(crate) fn names_in_text(&self) -> Vec<Ident> {
        let mut list: Vec<Ident> = Vec::new();
        for placeholder in self.placeholders.iter().flatten() {
            list.extend(placeholder.ident(&self.text).filter(|ident| !list.contains(ident)));
        }
        list
    }
}

/// All placeholders of a text.
fn placeholders(text: &str) -> Result<Vec<Placeholder>, &'static str> {
    let mut list = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let (brace, after) = rest.split_at(at).1.split_at(1);
        if let Some(behind) = after.strip_prefix(brace) {
            rest = behind;
            continue;
        }
        let inside = if brace == "{" { after.split_once('}') } else { None };
        let Some((inside, behind)) = inside.filter(|(inside, _)| !inside.contains('{')) else {
            return Err("a brace stands alone; write `{{` or `}}` for the character itself");
        };
        let (name, spec) = inside.split_once(':').unwrap_or((inside, ""));
        list.push(Placeholder { name: name.to_owned(), spec: spec.to_owned() });
        rest = behind;
    }
    Ok(list)
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

    /// Whether a value that breaks such a rule is not written.
    pub(crate) fn stops_writers(self) -> bool {
        matches!(self, Self::Check | Self::Error)
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
        Ok(Self::new(kind, condition, &text, code, false))
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

#[cfg(test)]
mod tests {
    use super::placeholders;

    #[test]
    fn placeholders_are_found_between_escaped_braces() {
        let list = placeholders("{{no}} {a} of {b:#x}").unwrap();
        let list: Vec<_> = list.iter().map(|one| (&one.name[..], &one.spec[..])).collect();
        assert_eq!(list, [("a", ""), ("b", "#x")]);
        for wrong in ["{a", "a}", "{a {b}}"] {
            assert!(placeholders(wrong).is_err(), "{wrong}");
        }
    }
}
