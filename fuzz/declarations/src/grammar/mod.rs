//! The grammar: random declarations over the words of the language.
//!
//! Every batch draws from a random part of the words (*swarm testing*): words that hide each other's
//! defects are not always together.

mod absent;
mod among;
mod back;
mod beside;
mod bits;
mod body;
mod boundary;
mod by_hand;
mod chained;
mod ends;
mod expr;
mod fields;
mod forms;
mod generics;
mod given;
mod given_sizes;
mod headers;
mod items;
mod late;
mod led;
mod lists;
mod located;
mod looks;
mod made;
pub mod model;
mod open;
mod operands;
mod places;
mod prefixed;
mod previous;
mod running;
mod seen;
mod signed;
mod sizes;
mod split;
mod tables;
mod tags;
mod types;
mod unions;
mod viewed;

use std::collections::BTreeSet;

pub use model::Declaration;
use model::Type;

use crate::rng::Rng;

/// Every word, kind of field and kind of type that a declaration may have, each switched on its own.
pub const WORDS: &[&str] = &[
    "align_after",
    "align_before",
    "args",
    "args default",
    "array",
    "at",
    "auto",
    "base",
    "big",
    "bits",
    "blob",
    "bool",
    "box",
    "calc",
    "check",
    "checksum",
    "checksum self",
    "cow",
    "derived in conditions",
    "endian",
    "endian inherit",
    "endian magic",
    "error",
    "fill",
    "flag",
    "float",
    "for_each",
    "for_each if",
    "for_each null",
    "if",
    "last",
    "lazy",
    "leb128",
    "len count",
    "let",
    "level",
    "limits",
    "magic field",
    "magic number",
    "magic of type",
    "magics",
    "map",
    "narrow",
    "new",
    "note",
    "null",
    "numbers",
    "optional",
    "origin",
    "other",
    "pad_after",
    "pad_before",
    "pad_to",
    "peek",
    "place",
    "plain derived",
    "prefix",
    "probe",
    "range",
    "remaining if",
    "remaining len",
    "remaining until",
    "reserved",
    "rest in the middle",
    "reuse",
    "rules of types",
    "seq",
    "set",
    "shared",
    "signed",
    "since",
    "size of type",
    "skip",
    "sorted_by",
    "sub",
    "tag",
    "tag calc",
    "text",
    "trim",
    "tuple",
    "type align",
    "union",
    "unique",
    "until",
    "until_end",
    "utf16",
    "warn",
    "wide lengths",
    "with",
    "zero",
];

/// Words that are drawn apart, so that declarations of known seeds stay what they are beside them.
pub const APART: &[&str] = &[
    "bits in bytes",
    "kept argument",
    "below zero",
    "constant",
    "tag of parts",
    "beside",
    "coded",
    "computed",
    "terminator",
    "spec",
    "condition of an id",
    "implicit numbers",
    "inverted flag",
    "open range",
    "previous",
    "several numbers",
    "checksum of items",
    "shared values",
    "checksum file",
    "encoded",
    "by hand",
    "view",
    "set of items",
    "decoded",
    "inherited magics",
    "until_next",
    "fill of several",
    "grow",
    "inner table",
    "generic",
    "tables",
    "given",
    "rules by hand",
    "linked",
    "from the end",
    "table of bytes",
    "variant of several",
    "computed option",
    "greedy",
    "converted table",
    "peeked or left",
    "until_codec",
    "padding of bits",
    "set of bits",
    "fields of variants",
    "seen",
    "scaled",
    "absent numbers",
    "led",
    "open section",
    "two forms",
    "coded items",
    "ended table",
    "counted places",
    "coded places",
    "made",
    "places below 0",
    "behind lengths",
    "headers",
    "whole sections",
    "item forms",
    "units behind",
    "autos of branches",
    "widths in units",
    "chained",
    "set beside table",
    "coded flags",
    "branches in units",
    "kinds of tags",
    "last constant",
    "ends below zero",
    "aligned by branch",
    "lengths of types",
    "map with len",
    "encodings",
    "choices of magics",
    "computed texts",
    "forms of items",
    "operands",
    "words of all forms",
    "words of items",
    "forms of lists",
    "constant bits",
    "distances below zero",
    "magics of a variant",
    "null beside if",
    "values among others",
    "prefix around all",
    "views of values",
    "kept by variants",
    "left out",
    "running sums",
    "split numbers",
    "boundary",
    "signed numbers",
    "given sizes",
    "running ends",
    "constant or end",
    "shifts",
    "late numbers",
    "counted back",
];

/// What a batch draws from.
struct Swarm {
    on: BTreeSet<&'static str>,
}

impl Swarm {
    /// A random part of the words.
    fn new(rng: &mut Rng) -> Self {
        let share = *rng.pick(&[25, 40, 60, 85]);
        let words = WORDS.iter().chain(APART).copied();
        Self { on: words.filter(|_| rng.percent(share)).collect() }
    }
}

/// One declaration of a batch.
fn declaration(seed: u64, swarm: &Swarm) -> Declaration {
    let (rng, apart, late) = (Rng::new(seed), Rng::new(!seed), Rng::new(!seed.rotate_left(32)));
    let (hand, packs) = (Rng::new(!seed.rotate_left(16)), Rng::new(!seed.rotate_left(48)));
    let gives = Rng::new(!seed.rotate_left(8));
    let tails = Rng::new(!seed.rotate_left(24));
    let ends = Rng::new(!seed.rotate_left(40));
    let bits = Rng::new(!seed.rotate_left(56));
    let inlines = Rng::new(!seed.rotate_left(4));
    let sees = Rng::new(!seed.rotate_left(12));
    let lacks = Rng::new(!seed.rotate_left(20));
    let leads = Rng::new(!seed.rotate_left(28));
    let opens = Rng::new(!seed.rotate_left(36));
    let codes = Rng::new(!seed.rotate_left(44));
    let closes = Rng::new(!seed.rotate_left(52));
    let counts = Rng::new(!seed.rotate_left(60));
    let sums = Rng::new(!seed.rotate_left(2));
    let makes = Rng::new(!seed.rotate_left(10));
    let tells = Rng::new(!seed.rotate_left(18));
    let forms = Rng::new(!seed.rotate_left(26));
    let rooms = Rng::new(!seed.rotate_left(34));
    let wraps = Rng::new(!seed.rotate_left(42));
    let sights = Rng::new(!seed.rotate_left(50));
    let keeps = Rng::new(!seed.rotate_left(58));
    let splits = Rng::new(!seed.rotate_left(6));
    let boundaries = Rng::new(!seed.rotate_left(38));
    let signs = Rng::new(!seed.rotate_left(22));
    let givens = Rng::new(!seed.rotate_left(46));
    let runs = Rng::new(!seed.rotate_left(54));
    let lasts = Rng::new(!seed.rotate_left(14));
    let lates = Rng::new(!seed.rotate_left(30));
    let mut gen_ = Gen {
        rng,
        apart,
        late,
        hand,
        packs,
        gives,
        tails,
        ends,
        bits,
        inlines,
        sees,
        lacks,
        leads,
        opens,
        codes,
        closes,
        counts,
        sums,
        makes,
        tells,
        forms,
        rooms,
        wraps,
        sights,
        keeps,
        splits,
        boundaries,
        signs,
        givens,
        runs,
        lasts,
        lates,
        swarm,
        types: Vec::new(),
        infos: Vec::new(),
        budget: 14,
    };
    gen_.root();
    Declaration { seed, types: gen_.types }
}

/// Writes one declaration.
struct Gen<'s> {
    rng: Rng,
    /// Draws the words of `APART` on fields.
    apart: Rng,
    /// Draws those that are asked for among others.
    late: Rng,
    /// Draws what functions of the user are given.
    hand: Rng,
    /// Draws values that end where the next one begins.
    packs: Rng,
    /// Draws rules over what functions are given.
    gives: Rng,
    /// Draws what counts from the end of a section.
    tails: Rng,
    /// Draws coded bytes that end by themselves.
    ends: Rng,
    /// Draws what lies between bit fields, and what they are set to.
    bits: Rng,
    /// Draws the variants whose fields are their own.
    inlines: Rng,
    /// Draws what functions see of tables.
    sees: Rng,
    /// Draws numbers that may be absent.
    lacks: Rng,
    /// Draws places that count in units or from others.
    leads: Rng,
    /// Draws sections in which values of nested types lie.
    opens: Rng,
    /// Draws numbers of items in encodings of their own.
    codes: Rng,
    /// Draws what ends tables.
    closes: Rng,
    /// Draws what places count from that a writer finds out.
    counts: Rng,
    /// Draws sums around branches.
    sums: Rng,
    /// Draws values that functions give.
    makes: Rng,
    /// Draws places that headers tell.
    tells: Rng,
    /// Draws further forms of words.
    forms: Rng,
    /// Draws located values in one room.
    rooms: Rng,
    /// Draws lengths of variable width in front of everything.
    wraps: Rng,
    /// Draws values that are seen in the bytes of others.
    sights: Rng,
    /// Draws the words that name what variants keep.
    keeps: Rng,
    /// Draws numbers that several fields hold.
    splits: Rng,
    boundaries: Rng,
    signs: Rng,
    givens: Rng,
    runs: Rng,
    /// Draws constants that may be the end of their region, and shifts of numbers.
    lasts: Rng,
    /// Draws numbers that are known late, and places that count from the end of a section.
    lates: Rng,
    swarm: &'s Swarm,
    types: Vec<Type>,
    infos: Vec<Info>,
    /// How many fields may still be added, over all types.
    budget: i32,
}

/// What others need to know of a type.
#[derive(Clone, Debug)]
struct Info {
    /// Its place in the list of types.
    index: usize,
    name: String,
    /// Whether it reads up to the end of the region.
    rest: bool,
    /// Whether it begins with a magic.
    magic: bool,
    /// Arguments: name, type and default.
    args: Vec<(String, &'static str, Option<String>)>,
    /// Plain unsigned fields that expressions may name.
    subs: Vec<(String, &'static str)>,
    /// Those of them that decide nothing, so that a writer may set them.
    settable: Vec<String>,
    /// Bit fields that a writer may set, and how many bits each has; those of truth values have none.
    bits: Vec<(String, u64)>,
    /// Truth values that expressions may name.
    truths: Vec<String>,
    /// The tags of the variants, of an enum with `tag`, and the type of the tag.
    tags: Option<(Vec<u64>, &'static str)>,
    /// Whether the tag has parts, so that no expression can ask for it.
    tag_of_parts: bool,
    /// Whether it is an enum of numbers.
    numbers: Option<&'static str>,
    /// Whether it is an enum of shapes.
    union: bool,
}

impl Gen<'_> {
    fn on(&self, word: &'static str) -> bool {
        debug_assert!(WORDS.contains(&word) || APART.contains(&word), "{word}");
        self.swarm.on.contains(word)
    }

    /// Whether a word is switched on and drawn.
    fn draw(&mut self, word: &'static str, percent: u64) -> bool {
        self.on(word) && self.rng.percent(percent)
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        *self.rng.pick(list)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.rng.below(end)
    }

    fn root(&mut self) {
        let union = self.on("union") && self.rng.percent(10);
        if union {
            self.union_type(3, true);
        } else {
            self.struct_type(4, true, true);
        }
        self.words_of_all_forms();
        self.prefix_around_all();
    }
}

/// The declaration of a seed: the number of its batch, and its own in that.
pub fn of_seed(seed: u64) -> Declaration {
    let swarm = Swarm::new(&mut Rng::new(seed >> 10));
    declaration(seed, &swarm)
}
