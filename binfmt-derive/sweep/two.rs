//! Two fields beside one another, each with up to three more words; those of the second may name the first.

use super::words::{FIELDS, WORDS};
use super::{DERIVES, Tried, expand};

/// What stands in front of both, up to the type of a number that they may name.
const HEAD: &str = "#[bin(little, version = n)]\n\
    struct Demo<'a> { n: u8, m: u32, truth: bool, head: Head, #[bin(args(kind = 1))] shape: Shape, \
    #[bin(count = 2)] rows: Vec<Row>, #[bin(section, len = 8)] room: &'a [u8], \
    #[bin(since = 2)] new: Option<u8>, m2: ";

/// The types of that number.
const NUMBERS: &[&str] =
    &["u8", "u16", "u32", "U24", "Auto<u8>", "Auto<u32>", "Leb128<u16>", "Auto<Leb128<u16>>"];

/// Words of the second field that name the first one, or that number.
const BESIDE: &[&str] = &[
    "at = end(field)",
    "at = m2",
    "at = m2 + n",
    "at = m + n",
    "at = m2 + len(field)",
    "at = start(field) - 4",
    "at = align_up(end(field), 4)",
    "at = m2, null = 0",
    "at = m2, place = field",
    "at = m2, place = around",
    "view, at = start(field)",
    "place = field",
    "place = room",
    "base = field",
    "base = head",
    "base = start",
    "grow = down",
    "shared",
    "until_next",
    "null = 0",
    "len = m2",
    "len = m2 - n",
    "len = len(field)",
    "count = m2",
    "count = count(field)",
    "calc = len(field)",
    "calc = count(field)",
    "calc = start(field)",
    "calc = end(field)",
    "checksum(Total, over = field)",
    "checksum(Total, over = n..=field)",
    "for_each = field",
    "for_each = field, at = it.place",
    "for_each = field, len = it.size",
    "set(size = len(field))",
    "args(size = len(field))",
    "if = count(field) > 1",
    "if = m2 > 2",
    "if = m2 & 1 == 1",
    "pad_before = len(field)",
    "pad_to = 16",
    "align_before = 8",
    "align_after = 8",
];

/// Numbers that a seed makes.
struct Draw(u64);

impl Draw {
    fn pick<'x, T>(&mut self, list: &'x [T]) -> &'x T {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let number = usize::try_from(self.0 >> 33).unwrap();
        &list[number % list.len()]
    }

    /// A field with words; the second one has the name `other`.
    fn field(&mut self, is_second: bool) -> String {
        let (own, ty) = *self.pick(FIELDS);
        let named = |words: &str| {
            if !is_second {
                return words.to_owned();
            }
            words.replace("field_is", "?").replace("field", "other").replace('?', "field_is")
        };
        let mut words = Vec::new();
        if !own.is_empty() {
            words.push(named(own));
        }
        for _ in 0..*self.pick(&[0, 1, 1, 2, 2, 3]) {
            if is_second && *self.pick(&[true, true, false]) {
                words.push((*self.pick(BESIDE)).to_owned());
                continue;
            }
            let word = *self.pick(WORDS);
            let elsewhere = *self.pick(&[true, false, false]) && !word.contains("magic");
            words.push(named(&if elsewhere { word.replace(" m", " m2") } else { word.to_owned() }));
        }
        let (words, name) = (words.join(", "), if is_second { "other" } else { "field" });
        let ty = super::in_an_option(&words, ty);
        let bin = if words.is_empty() { String::new() } else { format!("#[bin({words})] ") };
        format!("{bin}{name}: {ty}")
    }
}

/// Whether the derive takes a declaration, some of which do not even parse.
fn is_taken(declaration: &str) -> bool {
    let without = declaration.replace(DERIVES, "");
    syn::parse_str::<syn::DeriveInput>(&without).is_ok() && expand(declaration).is_empty()
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|number| number.parse().ok()).unwrap_or(default)
}

/// `TWO` says how many, and `SEED` which.
#[test]
fn two_fields_are_taken_or_refused_in_our_words() {
    let wanted = usize::try_from(number("TWO", 40)).unwrap();
    let mut draw = Draw(number("SEED", 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut all = Tried::default();
    for _ in 0..wanted.saturating_mul(400) {
        let (first, ty) = (draw.field(false), *draw.pick(NUMBERS));
        let with = |fields: &str| format!("{DERIVES}\n{HEAD}{ty}, {fields} }}\n");
        // Where the first is refused alone, so is every pair with it.
        if is_taken(&with(&first)) {
            let pairs = (0..12).map(|_| with(&format!("{first}, {}", draw.field(true))));
            if let Some(taken) = pairs.into_iter().find(|pair| is_taken(pair)) {
                all.try_one(&taken);
            }
        }
        if all.accepted.len() == wanted {
            break;
        }
    }
    let (accepted, _) = all.finish("two");
    assert_eq!(accepted, wanted);
}
