//! Paths with wildcards: `entries[3].payload`, `entries[*].arch`, `*.size`.

use std::fmt;
use std::str::FromStr;

use binfmt_runtime::Step;

/// How a step into coded bytes is written, as [`Step::Decoded`] is shown.
const DECODED: &str = "(decoded)";

/// The path of a field, or of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    text: String,
    /// In a host file, the part that the path begins in; any part if empty.
    pub(crate) part: String,
    steps: Vec<Want>,
}

/// One step of such a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Want {
    Field(String),
    AnyField,
    Index(u64),
    AnyIndex,
    /// Into the value that coded bytes hold.
    Decoded,
}

impl Want {
    fn is(&self, step: Step) -> bool {
        match (self, step) {
            (Self::Field(name), Step::Field(field)) => name == field,
            (Self::Index(wanted), Step::Index(index)) => *wanted == index,
            (Self::AnyField, Step::Field(_))
            | (Self::AnyIndex, Step::Index(_))
            | (Self::Decoded, Step::Decoded) => true,
            _ => false,
        }
    }
}

impl Pattern {
    /// Whether it names exactly these steps; those without a name do not count.
    pub(crate) fn is(&self, path: &[Step]) -> bool {
        let mut steps = path.iter().filter(|step| **step != Step::Field(""));
        let all = self.steps.iter().all(|want| steps.next().is_some_and(|step| want.is(*step)));
        all && steps.next().is_none()
    }

    /// Whether what it names may lie at or below these steps.
    pub(crate) fn begins(&self, path: &[Step]) -> bool {
        let steps = path.iter().filter(|step| **step != Step::Field(""));
        let mut wanted = self.steps.iter();
        steps.into_iter().all(|step| wanted.next().is_some_and(|want| want.is(*step)))
    }

    /// Its steps, one after the other.
    pub(crate) fn steps(&self) -> &[Want] {
        &self.steps
    }

    /// Whether it may name several fields.
    pub(crate) fn is_wild(&self) -> bool {
        self.steps.iter().any(|want| matches!(want, Want::AnyField | Want::AnyIndex))
    }

    /// Whether it begins in that part of a file.
    pub(crate) fn is_in(&self, part: &str) -> bool {
        self.part.is_empty() || self.part == part
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Pattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // Names of sections and members may have any character, fields none of these.
        let (part, path) = text.rsplit_once(':').unwrap_or(("", text));
        let mut steps = Vec::new();
        let mut rest = path;
        while !rest.is_empty() {
            if let Some(behind) = rest.strip_prefix('[') {
                let (index, behind) = behind.split_once(']').ok_or("a `[` has no `]`")?;
                steps.push(match index {
                    "*" => Want::AnyIndex,
                    index => Want::Index(index.parse().map_err(|_| {
                        format!("`[{index}]` is no index; write a number or `[*]`")
                    })?),
                });
                rest = behind;
                continue;
            }
            if let (Some(behind), false) = (rest.strip_prefix(DECODED), steps.is_empty()) {
                steps.push(Want::Decoded);
                rest = behind;
                continue;
            }
            if !steps.is_empty() {
                rest =
                    rest.strip_prefix('.').ok_or_else(|| format!("write `.` before `{rest}`"))?;
            }
            let end = rest.find(['.', '[', '(']).unwrap_or(rest.len());
            let (name, behind) = rest.split_at(end);
            steps.push(match name {
                "" => return Err(format!("`{path}` has a field without a name")),
                "*" => Want::AnyField,
                name => Want::Field(name.to_owned()),
            });
            rest = behind;
        }
        Ok(Self { text: text.to_owned(), part: part.to_owned(), steps })
    }
}

/// The steps of a path, as findings write them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown<'p>(pub(crate) &'p [Step]);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for step in self.0.iter().filter(|step| **step != Step::Field("")) {
            match step {
                Step::Field(_) if !first => write!(f, ".{step}")?,
                _ => write!(f, "{step}")?,
            }
            first = false;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_name_fields_and_items() {
        let coded =
            [Step::Field("e"), Step::Decoded, Step::Field("x"), Step::Index(1), Step::Decoded];
        assert_eq!(Shown(&coded).to_string(), "e(decoded).x[1](decoded)");
        assert!("e(decoded).x[1](decoded)".parse::<Pattern>().unwrap().is(&coded));
        assert!(!"e(decoded).x[1]".parse::<Pattern>().unwrap().is(&coded));
        let path = [Step::Field("entries"), Step::Index(3), Step::Field(""), Step::Field("arch")];
        for wanted in ["entries[3].arch", "entries[*].arch", "*[3].*", ".a:entries[3].arch"] {
            assert!(wanted.parse::<Pattern>().unwrap().is(&path), "{wanted}");
        }
        for other in
            ["entries[3]", "entries[30].arch", "entries.arch", "[3].arch", "entries[3].arch.x"]
        {
            assert!(!other.parse::<Pattern>().unwrap().is(&path), "{other}");
        }
        assert!("".parse::<Pattern>().unwrap().is(&[]));
        assert_eq!(Shown(&path).to_string(), "entries[3].arch");
    }

    #[test]
    fn parts_of_host_files_stand_in_front() {
        let pattern: Pattern = "b.o:.nv_fatbin:items[0]".parse().unwrap();
        assert!(pattern.is_in("b.o:.nv_fatbin"));
        assert!(!pattern.is_in(".nv_fatbin"));
        assert!("items[0]".parse::<Pattern>().unwrap().is_in("b.o:.nv_fatbin"));
    }

    #[test]
    fn what_is_no_path_is_refused() {
        for (text, why) in [
            ("a[", "no `]`"),
            ("a[b]", "is no index"),
            ("a[1]b", "write `.`"),
            ("a..b", "without a name"),
            (".a", "without a name"),
            ("a(b)", "write `.`"),
        ] {
            let error = text.parse::<Pattern>().unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
