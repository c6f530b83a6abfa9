//! What nothing draws, and why.

/// Words.
const WORDS: &[(&str, &str)] = &[
    ("bitflags", "its types are made by a macro of another crate"),
    ("crate", "it names the runtime, which has one name here"),
    ("root", "tables are not in the grammar"),
    ("slots", "tables are not in the grammar"),
];

/// Words on forms of types or fields.
const ON: &[(&str, &[&str], &str)] = &[
    (
        "bound",
        &["Bits", "Numbers", "Shapes", "Table", "Tables"],
        "structs alone have parameters here",
    ),
    ("flatbuffer", &["Bits"], "bit fields in a table are not in the grammar"),
    ("flatbuffer", &["Shapes"], "an enum with it is a union of tables"),
    ("inline", &["Bits"], "bit fields in a table are not in the grammar"),
    ("lsb", NO_BITS, "it needs `bits`, which makes the type one of bit fields"),
    ("msb", NO_BITS, "it needs `bits`, which makes the type one of bit fields"),
    ("rules", &["Bits", "Table"], "functions of rules are written for plain structs"),
    ("for_each", &["Sequence"], "what has it is no part of the sequence"),
    ("grow", &["Element"], "it needs `section`, which no value of an item is"),
    ("skip", &["Element"], "what is not in the file has no table"),
    ("default", &["Element"], "it needs `skip`"),
    ("until_end", &["Element"], "what takes the rest leaves nothing for the next item"),
];

/// Every form of a type without bit fields.
const NO_BITS: &[&str] = &["Numbers", "Shapes", "Struct", "Table", "Tables"];

/// Values that the reference shows, by their shapes.
const VALUES: &[(&str, &[&str], &str)] = &[
    ("flag", &["n . T", "! n . T"], "the types of `bitflags` are made by a macro of another crate"),
    ("flag", &["n & 1 << 1"], "it is read as the number, which is drawn"),
    ("magic", &["[ n ]"], "the names stand for constants, which are in `MORE`"),
];

/// What the expressions of words may name.
const KINDS: &[(&str, &[&str], &str)] = &[
    ("flag", &["a branch", "a sum", "an argument", "a part"], "it is one bit of a field beside it"),
    ("id", &["a field", "a part"], "an enum knows its arguments alone"),
    ("tag", &["a field", "a part"], "an enum knows its arguments alone"),
    ("since", NO_CONSTANTS, "a version is a constant"),
    ("before", NO_CONSTANTS, "a version is a constant"),
];

const NO_CONSTANTS: &[&str] = &["a field", "an argument", "a part", "a branch", "a sum"];

/// Further values that are to be drawn, which the reference tells in other ways.
pub const MORE: &[(&str, &[&str])] = &[
    ("magic", &["[b\"II\" => little, b\"MM\" => big]", "[b\"RIFF\", b\"RF64\"]", "[1u16, 2u16]"]),
    ("until", &["-1", "0"]),
    ("id", &["5..=9", "5..", "(b\"AB\", _)", "b\"RIFF\" | b\"RIFX\"", "(1, 2)"]),
    ("calc", &["tag(body)"]),
    ("set", &["(kind = tag(body))", "(it.kind = tag(value))", "(at = start(body))"]),
    (
        "checksum",
        &["(Crc32, over = self)", "(Crc32, over = file)", "(Crc32, over = decoded(body))"],
    ),
    ("if", &["group.present >> index & 1 != 0", "it.kind == 1"]),
    ("at", &["it", "it.at", "if it.kind == 1 { it.far } else { it.at }"]),
    ("endian", &["if order == 1 { Order::Big } else { Order::Little }"]),
    ("map", &["(Whole, turned, turned_back)"]),
    ("nul", &[""]),
    ("section", &[""]),
];

pub fn of_word(word: &str) -> Option<&'static str> {
    WORDS.iter().find(|(other, _)| *other == word).map(|(_, why)| *why)
}

pub fn on(word: &str, on: &str) -> Option<&'static str> {
    if on == "Schemas" {
        return Some("tables in one of several schemas are not in the grammar");
    }
    of(ON, word, on)
}

pub fn of_value(word: &str, shape: &str) -> Option<&'static str> {
    of(VALUES, word, shape)
}

pub fn of_kind(word: &str, kind: &str) -> Option<&'static str> {
    of(KINDS, word, kind)
}

fn of(list: &[(&str, &[&str], &'static str)], word: &str, what: &str) -> Option<&'static str> {
    let known = |(other, all, _): &&(&str, &[&str], &str)| *other == word && all.contains(&what);
    list.iter().find(known).map(|(.., why)| *why)
}
