//! Expressions, each in the language and as Rust over the variables of a `make` function.

use super::Gen;
use super::body::Body;

/// An expression in the language, and the number or truth that it has in `make`.
#[derive(Clone, Debug)]
pub(super) struct Both {
    pub(super) lang: String,
    pub(super) rust: String,
}

impl Both {
    pub(super) fn new(lang: impl Into<String>, rust: impl Into<String>) -> Self {
        Self { lang: lang.into(), rust: rust.into() }
    }

    fn constant(number: u64) -> Self {
        Self::new(number.to_string(), format!("{number}u64"))
    }
}

/// Something with a number that expressions may name.
#[derive(Clone, Debug)]
pub(super) struct Var {
    pub(super) both: Both,
    /// Its type; `bool` for a truth.
    pub(super) ty: &'static str,
    /// The variable in `make` that has the value of the field in its own type.
    pub(super) own: String,
}

impl Gen<'_> {
    pub(super) fn number_var(&mut self, body: &Body) -> Option<Var> {
        let vars: Vec<&Var> = body.scope.iter().filter(|var| var.ty != "bool").collect();
        if vars.is_empty() { None } else { Some(vars[self.rng.index(vars.len())].clone()) }
    }

    /// A number that is small where variables are.
    pub(super) fn number(&mut self, body: &Body, depth: u32) -> Both {
        let Some(var) = self.number_var(body) else { return Both::constant(self.below(9)) };
        if depth == 0 || self.rng.percent(40) {
            return var.both;
        }
        let constant = self.below(7) + 1;
        if self.rng.percent(15) {
            let test = self.truth(body, depth - 1);
            let (a, b) = (self.number(body, depth - 1), self.number(body, depth - 1));
            return Both::new(
                format!("if {} {{ {} }} else {{ {} }}", test.lang, a.lang, b.lang),
                format!("(if {} {{ {} }} else {{ {} }})", test.rust, a.rust, b.rust),
            );
        }
        let a = self.number(body, depth - 1);
        let b = if self.rng.percent(70) {
            Both::constant(constant)
        } else {
            self.number(body, depth - 1)
        };
        let steps = [
            ("+", "add"),
            ("+", "add"),
            ("*", "mul"),
            ("-", "sub"),
            ("/", "div"),
            ("%", "rem"),
            ("&", "and"),
            ("|", "or"),
            ("<<", "shl"),
            (">>", "shr"),
        ];
        match self.below(12) {
            10 => Both::new(
                format!("min({}, {})", a.lang, b.lang),
                format!("u64::min({}, {})", a.rust, b.rust),
            ),
            11 => {
                let to = self.pick(&[2, 4, 8]);
                Both::new(
                    format!("align_up({}, {to})", a.lang),
                    format!("align_up({}, {to})", a.rust),
                )
            }
            step => {
                let (sign, name) = steps[step as usize];
                let b = if matches!(sign, "<<" | ">>" | "/" | "%") {
                    Both::constant(constant)
                } else {
                    b
                };
                Both::new(
                    format!("({} {sign} {})", a.lang, b.lang),
                    format!("{name}({}, {})", a.rust, b.rust),
                )
            }
        }
    }

    /// A condition that holds now and then.
    pub(super) fn truth(&mut self, body: &Body, depth: u32) -> Both {
        let truths: Vec<&Var> = body.scope.iter().filter(|var| var.ty == "bool").collect();
        if !truths.is_empty() && self.rng.percent(40) {
            return truths[self.rng.index(truths.len())].both.clone();
        }
        if depth > 0 && self.rng.percent(20) {
            let (a, b) = (self.truth(body, depth - 1), self.truth(body, depth - 1));
            let sign = self.pick(&["&&", "||"]);
            return Both::new(
                format!("({} {sign} {})", a.lang, b.lang),
                format!("({} {sign} {})", a.rust, b.rust),
            );
        }
        if depth > 0 && self.rng.percent(15) {
            let a = self.truth(body, depth - 1);
            return Both::new(format!("!({})", a.lang), format!("!({})", a.rust));
        }
        let a = self.number(body, depth.min(1));
        let constant = self.below(5);
        if self.rng.percent(25) {
            let bit = self.pick(&[1, 2, 4, 8]);
            return Both::new(
                format!("({} & {bit}) != 0", a.lang),
                format!("and({}, {bit}) != 0", a.rust),
            );
        }
        let sign = self.pick(&["==", "!=", "<", ">", "<=", ">="]);
        Both::new(format!("{} {sign} {constant}", a.lang), format!("{} {sign} {constant}", a.rust))
    }

    /// A condition for a rule: it holds for most values.
    pub(super) fn rule(&mut self, body: &Body) -> String {
        let sized: Vec<&String> = body.sized.iter().collect();
        let counted: Vec<&String> = body.counted.iter().collect();
        match self.below(4) {
            0 if !sized.is_empty() => {
                let name = sized[self.rng.index(sized.len())].clone();
                format!("len({name}) != {}", self.below(9) + 3)
            }
            1 if !counted.is_empty() => {
                let name = counted[self.rng.index(counted.len())].clone();
                format!("count({name}) < {}", self.below(9) + 3)
            }
            _ => match self.number_var(body) {
                Some(var) => format!("{} != {}", var.both.lang, self.below(50) + 3),
                None => "1 < 2".into(),
            },
        }
    }
}
