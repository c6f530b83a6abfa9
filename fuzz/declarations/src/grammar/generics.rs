//! Parameters of structs: for numbers, lengths of arrays and declared types.

use super::body::names;
use super::model::{Field, Generic, borrowing};
use super::{Gen, Info};

/// Numbers that can stand for a parameter.
const NUMBERS: &[&str] = &[
    "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "U24", "U40", "U48", "U56", "I24", "I40",
    "f32", "f64", "bool",
];

impl Gen<'_> {
    /// Makes parameters of what some fields hold, and adds what the impls need to know of them.
    pub(super) fn generics(
        &mut self,
        words: &mut Vec<String>,
        info: &mut Info,
        fields: &[Field],
        outermost: bool,
    ) -> Vec<Generic> {
        let mut generics: Vec<Generic> = Vec::new();
        if outermost || !self.on("generic") || !self.late.percent(40) {
            return generics;
        }
        let mut bounds = Vec::new();
        for field in fields {
            // Expressions ask numbers for what a parameter does not say.
            let asked = |other: &Field| {
                other.presence.iter().chain(&other.words).any(|word| names(word, &field.name))
            };
            if field.junk
                || fields.iter().any(asked)
                || words.iter().any(|word| names(word, &field.name))
            {
                continue;
            }
            // A value is asked for by what it may hold, too, by code that reads it, and constants are bytes.
            let told = [
                "range",
                "one_of",
                "magic",
                "map",
                "unique",
                "sorted_by",
                "default",
                "until = ",
                "set",
                "calc = made",
                "with",
            ];
            if field.words.iter().any(|word| told.iter().any(|start| word.starts_with(start))) {
                continue;
            }
            let Some((argument, in_array)) = self.part(&field.ty) else { continue };
            let name = *["T", "U", "V"].get(generics.len()).unwrap_or(&"");
            if name.is_empty() || !self.late.percent(60) {
                continue;
            }
            let lazy = field.ty.contains("Seq<") || field.ty.contains("Lazy<");
            let declared = if lazy { format!("{name}: Wire<'a> + Clone") } else { name.to_owned() };
            if in_array {
                bounds.push(format!("{name}: Default"));
            }
            let (part, with) = (argument.clone(), name.to_owned());
            generics.push(Generic { field: field.name.clone(), part, with, declared, argument });
            info.subs.retain(|(sub, _)| *sub != field.name);
            info.settable.retain(|sub| *sub != field.name);
            info.truths.retain(|sub| *sub != field.name);
        }
        if !bounds.is_empty() {
            words.push(format!("bound({})", bounds.join(", ")));
        }
        if let Some(length) = self.length(fields, &generics) {
            generics.push(length);
        }
        generics
    }

    /// The part of a type that a parameter can stand for, and whether it is what an array holds.
    fn part(&self, ty: &str) -> Option<(String, bool)> {
        let wrapped = ["Vec<", "Box<", "Seq<'a, ", "Lazy<'a, "];
        let mut inner = ty;
        while let Some(rest) = wrapped.iter().find_map(|start| inner.strip_prefix(start)) {
            inner = rest.strip_suffix('>')?;
        }
        let item = inner.strip_prefix('[').and_then(|rest| rest.split_once("; "));
        let (part, in_array) = item.map_or((inner, false), |(item, _)| (item, true));
        let plain = NUMBERS.contains(&part) && ty != "Vec<u8>";
        // A struct that borrows for its parameter alone would have a lifetime that nothing has.
        let declared = part.strip_suffix('@').is_some_and(|name| {
            let known = self.infos.iter().find(|info| info.name == name);
            !borrowing(&self.types).contains(name) && known.is_some_and(|info| info.args.is_empty())
        });
        (plain || declared).then(|| (part.to_owned(), in_array))
    }

    /// The length of an array that is not a parameter's.
    fn length(&mut self, fields: &[Field], generics: &[Generic]) -> Option<Generic> {
        let arrays = fields.iter().filter_map(|field| {
            let len = field.ty.strip_prefix('[')?.strip_suffix(']')?.rsplit_once("; ")?.1;
            let known = generics.iter().any(|generic| generic.field == field.name);
            // Others are passed an array of the length that it has.
            let asked = |other: &Field| other.words.iter().any(|word| names(word, &field.name));
            let plain = !known && field.words.is_empty() && !fields.iter().any(asked);
            plain.then(|| (field.name.clone(), len.to_owned()))
        });
        let arrays: Vec<_> = arrays.collect();
        let (field, argument) = arrays.get(self.late.index(arrays.len().max(1)))?.clone();
        let (part, with) = (format!("; {argument}]"), "; N]".into());
        Some(Generic { field, part, with, declared: "const N: usize".into(), argument })
    }
}
