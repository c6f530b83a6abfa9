//! The registry: one row for every word, and the slots that keep their values.
//!
//! What is general about words comes from here: reading them, words in a wrong place, "did you
//! mean", duplicates, the expressions of a declaration, and the tables of the reference.

use syn::{Ident, LitByteStr, LitInt, LitStr, Path, Type, WherePredicate};

use super::row::Form::{
    BitField, Bits, Element, Numbers, Sequence, Shapes, Struct, Table, TableSlot, Tables,
};
use super::row::Known::{All, Before, Behind};
use super::row::Purpose::{Check, Derives, Part, Shape, Value as OfValue};
use super::row::Wanted::{Anything, Condition, Number};
use super::row::{Form, Row, Sort, rule, word};
use super::value::{Reading, Slot};
use super::{
    Args, Checksum, Choice, Computed, Down, Endian, Fill, First, Ids, Key, Let, Magics, Map, Nul,
    Order, Overrides, Range, Rule, Section, TablePath, Tag, Unit, Word,
};
use crate::expr::Expr;

/// A word, if it is given.
type Given<T> = Option<Word<T>>;

/// Makes `Words`, which has a slot for every word, and the list of their rows.
macro_rules! registry {
    ($($slot:ident: $ty:ty = $($row:expr),+;)*) => {
        /// Every word of one type, field or variant; what was not given is empty.
        #[derive(Default)]
        pub(crate) struct Words {
            $(pub(crate) $slot: $ty,)*
            pub(crate) magic: Given<super::Magic>,
            pub(crate) magics: Given<Vec<super::Alternative>>,
            /// A field that keeps which of several magics of its type is there.
            pub(crate) keeper: Given<()>,
            /// A constant that ends the value.
            pub(crate) terminator: Given<super::Terminator>,
            /// How many bytes must be left for one more item, beside a condition on the last one.
            pub(crate) least: Given<Expr>,
            /// The names of all words, as often as they are given.
            pub(crate) names: Vec<Ident>,
            /// Their rows.
            pub(crate) known: Vec<&'static Row>,
            /// The words as written, for the layout.
            pub(crate) text: String,
        }

        /// Every word.
        pub(crate) static ROWS: &[Row] = &[$($($row.kept_in(stringify!($slot)),)+)*];

        impl Words {
            /// Reads what stands behind a word into its slot.
            pub(super) fn put(&mut self, row: &Row, reading: &mut Reading<'_>) -> syn::Result<()> {
                match row.slot {
                    $(stringify!($slot) => self.$slot.put(reading),)*
                    _ => Ok(()),
                }
            }

            /// Every slot with its expressions.
            fn slots(&self) -> Vec<(&'static str, Vec<&Expr>)> {
                vec![$((stringify!($slot), self.$slot.exprs())),*]
            }

            /// Every expression, as it is written.
            pub(crate) fn exprs_mut(&mut self) -> Vec<&mut Expr> {
                let slots = [$(self.$slot.exprs_mut()),*];
                slots.into_iter().flatten().collect()
            }
        }
    };
}

impl Words {
    /// Every word that is given, with its row.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (&Ident, &'static Row)> {
        self.names.iter().zip(self.known.iter().copied())
    }

    /// Adds the `calc` that another word stands for.
    pub(crate) fn computed(&mut self, calc: Word<Expr>) {
        self.names.push(Ident::new("calc", calc.span));
        self.known.extend(ROWS.iter().find(|row| row.name == "calc"));
        self.calc = Some(calc);
    }

    /// Where a word stands, if it is given.
    pub(crate) fn given(&self, word: &str) -> Option<&Ident> {
        self.names.iter().find(|name| *name == word)
    }

    /// Every expression with the row of its word.
    pub(crate) fn exprs(&self) -> Vec<(&'static Row, &Expr)> {
        let row = |slot: &str| ROWS.iter().find(|row| row.slot == slot && row.expr.is_some());
        // Most slots are empty, and a name is looked for only where one is not.
        let slots = self.slots().into_iter();
        let slots = slots.filter(|(slot, exprs)| !exprs.is_empty() && *slot != "rules");
        let plain = slots.filter_map(|(slot, exprs)| Some((row(slot)?, exprs)));
        let plain = plain.flat_map(|(row, exprs)| exprs.into_iter().map(move |expr| (row, expr)));
        let rules = self.rules.iter().filter_map(|rule| {
            Some((ROWS.iter().find(|row| row.name == rule.kind.word())?, &rule.condition))
        });
        plain.chain(rules).collect()
    }
}

registry! {
    order: Given<Order> =
        word("little", "little")
            .on_type("multi-byte numbers start with their lowest byte; a field may say otherwise", "an error, if there is such a number")
            .on_field("byte order of this number, or of these numbers", "that of the type")
            .forms(&[Struct, Bits, Numbers, Shapes, Sequence, Element]),
        word("big", "big")
            .on_type("multi-byte numbers start with their highest byte", "an error, if there is such a number")
            .on_field("byte order of this number, or of these numbers", "that of the type")
            .forms(&[Struct, Bits, Numbers, Shapes, Sequence, Element]);
    endian: Given<Endian> = word("endian", "endian = inherit")
        .on_type("a byte order that is not fixed: `= order`, a value of type `Order`; `= magic`; `= inherit`", "fixed by `little` or `big`")
        .expr(All, Anything, Shape)
        .forms(&[Struct, Bits, Numbers, Shapes])
        .excludes(&[(&["little", "big"], "is given already, by `endian`; keep one")]);
    written_magic: Given<Magics> = word("magic", "magic = b\"ABCD\"")
        .on_type("`= b\"RTEN\"` or `= 0x675C_3ED9u32`: a constant at the start, checked and written; `= [a, b]`: one of several", "none")
        .on_field("`= b\"IHDR\"` or `= 42u16`: a constant before the value; alone, on the first field: it keeps the magic of its type, which is one of several; `= 0x7ff`, on a bit field of the empty type: the number that it always is, which is no part of the value", "none")
        .on_variant("the bytes that the variant begins with; they are not part of its value. `= [b\"P5\", b\"P6\"]`, `= 0x80u8..=0x8f`: several, of which the variant keeps the one that is there, in front and without a name: an array of bytes, or a `u8`", "only the last variant can be without")
        .forms(&[Struct, Sequence, Element, Shapes, BitField]);
    len: Given<Expr> = word("len", "len = n")
        .on_type("`= size + 16`: the whole value spans that many bytes, counted from its first byte, its own magic included; reading is limited to them once the fields that are named have been read, at once where it is a constant or comes from arguments. A format that counts from behind its `size` adds what stands before: a RIFF file has `len = size + 8`", "it ends with its last field")
        .on_field("`= n`: so many bytes, exactly; for bytes, texts, sequences and declared types", "-")
        .expr(Before, Number, Derives)
        .fits(&[Sort::Strings, Sort::Items, Sort::Nested], "has no meaning on a field of fixed size; remove it")
        .excludes(&[(&["until_end"], "and `len` both say where the field ends; keep one")]);
    align_after: Given<Expr> = word("align_after", "align_after = 8")
        .on_type("`= 8`, a power of two, or an expression, any number, of which 0 and 1 fill nothing: the encoded value is padded with zeros to a multiple, counted from its own start, outside `len`", "none")
        .on_field("`= 8`, a power of two, or an expression (`if kind == 2 { 8 } else { 4 }`), any number, of which 0 and 1 fill nothing: fill up to a multiple follows the value; with `pad_to`, what a new region is rounded to; at an offset, also where the field may be put", "none")
        .expr(Behind, Number, Shape);
    args: Given<Args> = word("args", "args(name = value)")
        .on_type("`(name: Type = default, ..)`: what the value must be told; every argument has a default, or none has; a text or bytes are those of the input: `name: &'a str`, or `&str` in a type without a lifetime", "nothing")
        .on_field("`(name = e, ..)`: the arguments of the field's type, or of that of its items: all of them, by name and in the order of their declaration; integers are converted, and one that does not fit stops the reader; `name` alone passes what has that name here; for the items of a `Vec` or a `LinkedSeq`, `name = previous.part or first`: what the item before says, and what the first one is given; `previous.name`, of an argument that stands in the list, is what the item before was given. With `with` or `map`, `(e, ..)`: what the functions are given behind their own, in order; numbers are converted to what the functions take, all else is given by reference", "the defaults of the type")
        .on_variant("`(name = e, ..)`: the arguments of the variant's type, as on a field", "the defaults of the type")
        .expr(Before, Anything, Shape)
        .forms(&[Struct, Shapes, Sequence, Element])
        .fits(&[Sort::Declared], "are for declared types, and this field has none; remove them");
    rules: Vec<Rule> =
        rule("check", "check(size > 0, \"the size is 0\")")
            .on_type("`(condition, \"text\")`: a rule over the whole value that stops a reader", "-")
            .on_field("`(condition, \"text\")`: a rule about the field that stops a reader", "-"),
        rule("error", "error(size > 0, \"the size is 0\")")
            .on_type("a rule that a validator reports as an error", "-")
            .on_field("a rule that a validator reports as an error", "-"),
        rule("warn", "warn(size > 0, \"the size is 0\")")
            .on_type("a rule that a validator reports as a warning", "-")
            .on_field("a rule that a validator reports as a warning", "-"),
        rule("note", "note(size > 0, \"the size is 0\")")
            .on_type("a rule that a validator reports as a note", "-")
            .on_field("a rule that a validator reports as a note", "-");
    level: Given<Overrides> = word("level", "level(padding = note)")
        .on_type("`(padding = note, ..)`: what findings inside the value weigh: `error`, `warning`, `note` or `off`", "as in the table below")
        .on_field("`(padding = note, ..)`: what findings inside the field, its paddings and its rules weigh: `error`, `warning`, `note` or `off`, which does not tell them; `leftover = warning` keeps the bytes that a `Seq` with `until` leaves over", "as in the table below")
        .forms(&[Struct, Bits, Sequence, Element, BitField]);
    rules_path: Given<Path> = word("rules", "rules = my_rules")
        .on_type("`= path`: a `fn(&Self, &mut Rules)` that a validator calls for what words cannot say", "none")
        .forms(&[Struct, Bits, Table]);
    probe: Given<()> = word("probe", "probe")
        .on_type("on an enum: its variants are told apart by reading them", "by their `magic`")
        .forms(&[Shapes])
        .excludes(&[(&["peek"], "looks for magics, and `probe` for none; keep one")]);
    tag: Given<Tag> = word("tag", "tag = kind")
        .on_type("`= kind`: on an enum of shapes: the number, mostly an argument, that tells which variant is there; `= (class, kind)`: several arguments together", "by their `magic`")
        .expr(All, Anything, Check)
        .forms(&[Shapes])
        .excludes(&[(&["probe", "peek"], "and `tag` both tell variants apart; keep one")]);
    peek: Given<LitInt> = word("peek", "peek = 8")
        .on_type("`= 8`, on an enum: the magics of its variants stand that many bytes behind the start, and are fields of the variants' types, which read and write them", "they come first, and the variant's value follows")
        .forms(&[Shapes]);
    bitflags: Given<()> = word("bitflags", "bitflags")
        .on_type("on a tuple struct around an integer to which `bitflags!` gives names: shown by name, usable in arithmetic", "a plain number");
    bits: Given<Type> = word("bits", "bits = u16")
        .on_type("`= u16`: the fields are bit fields, and lie in an integer of this type; `= [u8; 12]`: in so many bytes, up to 32, of one number", "each field has bytes of its own")
        .forms(&[Bits]);
    width: Given<LitInt> = word("bits", "bits = 3")
        .on_field("`= 3`: so many bits has this bit field, in a type with `bits`", "an error there")
        .forms(&[BitField]);
    first: Given<First> =
        word("lsb", "lsb")
            .on_type("the first bit field has the lowest bits, the next one those above it", "an error, if there are bit fields")
            .forms(Form::TYPES)
            .needs(&["bits"], "is the order of bit fields; add `bits = u16`, their integer"),
        word("msb", "msb")
            .on_type("the first bit field has the highest bits, the next one those below it", "an error, if there are bit fields")
            .forms(Form::TYPES)
            .needs(&["bits"], "is the order of bit fields; add `bits = u16`, their integer");
    origin: Given<()> = word("origin", "origin")
        .on_type("offsets of located fields inside count from the start of this value", "from that around it, at last from the file");
    bound: Given<Vec<WherePredicate>> = word("bound", "bound(T: Copy)")
        .on_type("`(T: Default)`: what the impls ask of type parameters, besides that they can be read and written", "nothing else")
        .forms(Form::TYPES);
    spec: Given<LitStr> = word("spec", "spec = \"section 4\"")
        .on_type("`= \"chapter 4\"`: where the type is specified; part of findings and of the layout", "that of the type around it")
        .forms(Form::TYPES);
    version: Given<Expr> = word("version", "version = version")
        .on_type("`= version`: the number that `since` and `before` speak of", "-")
        .expr(All, Anything, Part);
    lets: Given<Vec<Let>> = word("let", "let(name = value)")
        .on_type("`(name = e, ..)`: values of that name in all expressions of the type; not on the wire", "-")
        .expr(All, Anything, Part)
        .forms(&[Struct, Bits, Shapes, Table]);
    computed: Vec<Computed> = word("computed", "computed(total: u32 = a + b, \"both together\")")
        .on_type("`(name: Type = e, \"text\")`: a value that follows from the others and is not on the wire: a name in all expressions, a method of the type that gives an `Option`, a row in the layout and in what an inspector shows; one that cannot be computed, or does not fit its type, stops a reader", "-")
        .expr(All, Anything, Check)
        .forms(&[Struct, Bits]);
    new: Given<()> = word("new", "new")
        .on_type("a function `new` takes all fields but those that the writer computes, if these are always there and of no declared type, and `Reserved` bytes, which are empty", "-")
        .forms(&[Struct, Bits]);
    krate: Given<Path> = word("crate", "crate = path::to::runtime")
        .on_type("`= path`: where the runtime is, for crates that re-export it", "`::binfmt_runtime`")
        .forms(Form::TYPES);
    count: Given<Expr> = word("count", "count = n")
        .on_field("`= n`: so many items; for `Seq` and `Vec`", "-")
        .expr(Before, Number, Derives)
        .fits(&[Sort::Items], "counts the items of a `Seq<'a, T>` or `Vec<T>`; for bytes write `len = ..`")
        .excludes(&[(&["until", "until_end"], "and `count` both say where the items end; keep one")]);
    until_end: Given<()> = word("until_end", "until_end")
        .on_field("everything up to the end of the region", "-")
        .fits(&[Sort::Strings, Sort::Items, Sort::Lazy, Sort::Encoded, Sort::Blob, Sort::FlatBuffer], "is for bytes, texts, sequences, lazy and encoded values; a declared type says of its own fields how far they go");
    until_next: Given<()> = word("until_next", "until_next")
        .on_field("everything up to where the next value at an offset of the same region begins, in the order of their offsets, or to the end of the region; a writer leaves no bytes between such a value and the next one", "-")
        .needs(&["at"], "speaks of values at offsets; add `at = ..`, or write `until_end`")
        .forms(&[Sequence, Element])
        .fits(&[Sort::Strings, Sort::Items, Sort::Nested], "has no meaning on a field of fixed size; remove it")
        .excludes(&[
            (&["len", "count", "prefix", "until", "until_end", "nul", "pad_to"], "and `until_next` both say where the field ends; keep one"),
            (&["trim", "pad_before", "pad_after", "align_before", "align_after", "fill"], "leaves bytes that would be read as a part of the value with `until_next`; declare a type for the value, with its padding"),
            (&["with", "map", "view"], "does not go with `until_next`; declare a type for the value"),
        ]);
    until: Given<Expr> = word("until", "until = remaining < 16")
        .on_field("`= remaining < 16`, `= remaining <= 15`: items, until fewer bytes than 16 are left; a constant may stand for the number. `= last == 0`: items of a `Vec`, up to and with the first one for which the condition holds; `last` is that item. `= last == 0 || remaining < 4`: up to that one, or until fewer bytes than that are left. `= b'|'`, `= b\"\\r\\n\"`: bytes, a text or items of a `Vec`, up to that constant, which is bytes for items of declared types (`b\"|\"`), and for items that are numbers such a number; it follows and is no part of them; `= kept(b'\\n')`: bytes or a text with the constant at their end, `= kept(b'\\n') || remaining < 1`: or up to the end of the region, also with `peek`; `= peek(b'|')`: up to the constant, which is part of what follows; `= peek(b\"\\0\") || remaining < 4`: items up to there, or until fewer bytes than that are left; `= peek_last(b\"PK\\x05\\x06\")`: up to the last one of the region, for bytes, also for a `section`", "-")
        .expr(Before, Condition, Check)
        .forms(&[Sequence, Element])
        .fits(&[Sort::Items, Sort::Strings], "ends a `Seq<'a, T>`, a `Vec<T>`, bytes or a text")
        .excludes(&[(&["until_end", "nul", "trim"], "and `until` both say where the field ends; keep one")]);
    prefix: Given<Type> = word("prefix", "prefix = u32")
        .on_field("`= u32`: the length in bytes, of a `Vec<T>` or `Seq` the number of items, stands right before the value and is not in the struct", "-")
        .fits(&[Sort::Strings, Sort::Items, Sort::Nested], "tells the size of bytes, texts, sequences and declared types; remove it")
        .excludes(&[(&["count", "until", "until_end"], "tells where the field ends, and so does `prefix`; keep one")]);
    nul: Given<Nul> = word("nul", "nul")
        .on_field("a NUL follows the string; it is not part of its length, and must be there. Without a length the string ends at the first NUL. `= optional`: the string has the width that `len` tells, and ends at its first NUL or fills it; what is behind the NUL is fill", "no NUL")
        .fits(&[Sort::Strings], "ends strings; it goes on `&[u8]`, `&str` and their owned forms");
    trim: Given<Unit> = word("trim", "trim = 0")
        .on_field("`= 0`: bytes or a text of the width that `len` tells; the fill at its end is cut when it is read, and put back when it is written", "nothing is cut")
        .fits(&[Sort::Strings], "cuts the fill off bytes and texts; behind a declared type there is fill with `pad_to = 16, fill = b' '`")
        .needs(&["len"], "cuts the fill of a fixed width; add `len = 16`")
        .excludes(&[(&["nul"], "ends a string, and `trim` cuts NULs or another fill off a fixed width; remove `nul`")]);
    calc: Given<Expr> = word("calc", "calc = len(data) + 4")
        .on_field("`= e`: the writer computes the field, an integer, with `= tag(body)` an enum of numbers, bytes or a text, or with `= fan_out(names)` the array, bytes, text, list or value that a function of yours gives, of fields that nothing computes; a validator compares it; a number that may be absent is computed where it is there; `e` may use all fields, and the field itself, which is what the struct holds: `calc = n` on `n` writes the number as it is", "the value of the struct, or derived")
        .expr(All, Number, OfValue)
        .forms(&[Sequence]);
    checksum: Given<Checksum> = word("checksum", "checksum(Crc32, over = first..=last)")
        .on_field("`(Crc32, over = first..=last)`: the writer computes the field, an unsigned integer or an array of bytes, a validator compares it. It covers the bytes from the first field up to the last one, the paddings between them, too; `over = field` covers one field, `over = ..=last` all from the start of the value on, its magic too, `over = first..` all up to its end, `over = self` the whole value, `over = decoded(body)` what an `Encoded` decodes to, `over = file` all that is written, whatever lies around the value: that is computed last of all, counts as zeros in every other checksum, and there is one in a file. `zero = field` or `zero = [a, b]`: these count as zero bytes, as the checksum itself does. `except = field` or `except = [a, b]`: these are left out, which may be the checksum itself. On a field with `for_each`, `(Crc32, it.sum)`: the writer sets that number of each item to the checksum of its value, without the padding around it", "-")
        .forms(&[Sequence, Element])
        .fits(&[Sort::Unsigned, Sort::ByteArray, Sort::Element], "is stored in an unsigned integer or an array of bytes: `u32`, `[u8; 32]`")
        .excludes(&[(&["calc", "with"], "and `checksum` both say what is written; keep one")]);
    at: Given<Expr> = word("at", "at = offset")
        .on_field("`= offset`: the field lies at an offset, outside the sequence; one that no number is computed from, as `len(data) - footer_len`, is where the value must lie", "behind the field before it")
        .expr(Before, Number, Derives)
        .excludes(&[(&["optional"], "has no place at an offset, where a field is absent at `null = 0`; remove it")]);
    base: Given<Ident> = word("base", "base = file")
        .on_field("`= file`, `= start` or `= field`: the offset counts from the file, from the start of this value (its magic, but for a variant, whose magic lies in front of it), or from that of an earlier field", "from the nearest `origin`")
        .needs(&["at"], "belongs to a located field; add `at = ..`");
    null: Given<LitInt> = word("null", "null = 0")
        .on_field("`= 0`: this offset, which is what `at` gives and not the number in it, means that there is no value; the field is an `Option`", "every offset is one")
        .needs(&["at"], "belongs to a located field; add `at = ..`");
    section: Given<Section> = word("section", "section")
        .on_field("these bytes are the region of located fields; what they leave of it is kept, where none that is new or grows comes to lie; `= open`: also of fields of the values that lie in it, and of those inside these, with `place = around`", "-")
        .forms(&[Sequence])
        .excludes(&[
            (&["at"], "has no place on a section, which lies in the sequence; declare a type with the section and the fields in it, and put one field of that type at the offset"),
            (&["nul"], "has no place on a section, which fills its `len`; put it on a field beside it"),
            (&["magic", "prefix"], "has no place on a section; put it on a field before it"),
            (&["trim"], "would cut what fields at offsets lie in; remove it from the section"),
            (&["pad_before", "align_before"], "has no place on a section, which fills its `len`; put a field of padding before it: `#[bin(align_before = 4)] gap: ()`"),
            (&["pad_after", "align_after", "pad_to"], "has no place on a section, which fills its `len`; put a field of padding behind it: `#[bin(align_before = 4)] gap: ()`"),
        ]);
    grow: Given<Down> = word("grow", "grow = down")
        .on_field("`= down`: what lies in the section is placed from its end downwards: a value keeps its place while it fits there, one that is new or has grown comes in front of all others; the section keeps its length", "values follow one another upwards")
        .needs(&["section"], "is about what lies in a section; add `section`");
    place: Given<Ident> = word("place", "place = strings")
        .on_field("`= strings`: the located field lies in that earlier section; `= around`: in the closest `section = open` in which the value itself lies", "behind the sequence")
        .needs(&["at"], "belongs to a located field; add `at = ..`");
    for_each: Given<TablePath> = word("for_each", "for_each = entries")
        .on_field("`= entries`: a `Vec` with one value for every item of an earlier table: at the offset that `at` tells, or one behind the other; `at`, `len`, `count`, `args`, `if` and the paddings may use `it`, the item, and `index`, its number; where values lie one behind the other, `len` and `count` also the item before, beside what the first value has in its place: `it.end - (previous.end or 0)`; the writer sets the numbers of the item that `at`, `len` and `count` name, and those of paddings where `set(it.room = align_up(len(value), 4))` says so: for bytes and texts, whose length is known before, while a room counts their prefix and NUL, too. `= group.offsets`, `= groups.offsets`: a table inside a nested value, or inside each item of a `Vec` or an array, one after the other: `group` is that value, and `index` counts in its table; a nested value may have a `set` for its other numbers. The names between lead through single values (`head.part.offsets`); for lists in the items of lists, the `for_each` goes into the type of the items. A table that is absent (`Option<Vec<u32>>`) has no items", "-");
    set: Given<Args> = word("set", "set(size = len(data))")
        .on_field("`(size = len(data), ..)`: the mirror of `args`: the writer sets fields of this nested value, integers, enums of numbers (`kind = tag(body)`), and `bool`s to a condition, also those that are bit fields, and a validator compares them; one that is absent (`Option<u32>`) stays so; the type is `Clone`. `at = start(body)` tells a header where a value at `at = header.at` lies, which moves as beside a number of its own. On a field with `for_each`, `(it.lines = count(value), ..)`: the same with numbers of the item, of which `value` is the value; an item without a value keeps what it says", "-")
        .expr(All, Number, OfValue);
    shared: Given<()> = word("shared", "shared")
        .on_field("equal values may lie in one place; the writer gives those that have one stored offset, and are written as the same bytes, one place", "values that overlap are an error")
        .needs(&["at"], "belongs to a located field; add `at = ..`")
        .fits(&[Sort::Strings, Sort::Items, Sort::Nested], "is for bytes, texts, items and declared types; a number has a place of its own");
    view: Given<()> = word("view", "view")
        .on_field("the bytes belong to other fields: they are read and validated here too, and never written; a writer refuses a value that says others than are written there, or whose own numbers and checksums are wrong", "the bytes are the field's own")
        .needs(&["at"], "looks at bytes at an offset; add `at = ..`")
        .forms(&[Sequence, Element])
        .excludes(&[
            (&["place", "shared", "align_before", "align_after"], "says where a writer puts the field, and it puts a `view` nowhere; remove it"),
            (&["magic", "pad_before", "pad_after", "pad_to", "fill", "trim"], "is written around the value, and a `view` is not written; declare a type for all of these bytes, and view that"),
            (&["calc", "checksum", "set"], "says what a writer computes, and a `view` is not written; put it on the field that has the bytes"),
            (&["with", "map", "codec"], "converts what is read, and what a `view` says is compared with bytes; declare a type for them, and view that"),
        ]);
    condition: Given<Expr> = word("if", "if = version > 1")
        .on_field("`= version > 1`: the field, an `Option`, is there when the condition holds", "always there")
        .expr(Before, Condition, Check);
    optional: Given<()> = word("optional", "optional")
        .on_field("the field, an `Option`, is there when its magic is, or that of its type", "always there")
        .forms(&[Sequence])
        .excludes(&[
            (&["if", "flag", "since", "before", "null"], "and `optional` both say when the field is there; keep one"),
            (&["pad_before", "align_before"], "stands before the magic that `optional` looks for; pad the field before it"),
        ]);
    flag: Given<Expr> = word("flag", "flag = flags & 4")
        .on_field("`= flags & 4`, `= flags & 1 << 2` or, with `bitflags`, `= flags.NAME`: the field, an `Option`, is there when that bit of an earlier field is set; `= flags & 4 == 0`, `= !flags.NAME`: when it is not", "always there")
        .expr(Before, Anything, Part)
        .forms(&[Sequence])
        .excludes(&[(&["if", "since", "before", "null"], "and `flag` both say when the field is there; keep one")]);
    since: Given<Expr> = word("since", "since = 2")
        .on_field("`= 2`: the field, an `Option`, is there from that `version` on", "always there")
        .expr(Before, Anything, Part)
        .forms(&[Sequence]);
    before: Given<Expr> = word("before", "before = 3")
        .on_field("`= 5`: the field, an `Option`, is there up to that `version`, not in it", "always there")
        .expr(Before, Anything, Part)
        .forms(&[Sequence]);
    pad_before: Given<Expr> = word("pad_before", "pad_before = 4")
        .on_field("`= 4`, or an expression: so many bytes of fill come before the value; before a bit field so many bits, which are 0", "none")
        .expr(Before, Number, Shape)
        .forms(&[Sequence, Element, BitField]);
    align_before: Given<Expr> = word("align_before", "align_before = 8")
        .on_field("`= 8`, a power of two, or an expression, any number, of which 0 and 1 fill nothing: fill up to a multiple, counted from the start of the type around it; at an offset, where the writer may place the value; in a table, where in a new buffer the bytes, the text or the items of a slot may begin", "none; in a table what the items need")
        .expr(Before, Number, Shape)
        .forms(&[Sequence, Element, TableSlot]);
    pad_after: Given<Expr> = word("pad_after", "pad_after = 4")
        .on_field("`= 4`, or an expression: so many bytes of fill follow the value; behind a bit field so many bits, which are 0", "none")
        .expr(Behind, Number, Shape)
        .forms(&[Sequence, Element, BitField]);
    pad_to: Given<Expr> = word("pad_to", "pad_to = 64")
        .on_field("`= size`: value and fill together have that many bytes; of a number that tells it (`size`, `4 * n - 1`) a writer computes the next one that the value fits into", "none")
        .expr(Behind, Number, Derives)
        .excludes(&[(&["pad_after"], "and `pad_to` exclude each other; keep one")]);
    fill: Given<Fill> = word("fill", "fill = 0xff")
        .on_field("`= 0xff`, `= b' '`: the byte of the padding; `= b\"PAD\"`: several, again and again, from the start of the padding on", "0")
        .needs(&["pad_before", "pad_after", "pad_to", "align_before", "align_after", "section"], "is the byte of a padding; add `pad_..` or `align_..`");
    range: Given<Range> = word("range", "range = 1..=9")
        .on_field("`= 1..=9`: the integer lies there, else a reader stops; any form of range, the ends may use earlier fields", "every value")
        .expr(Before, Anything, Part)
        .forms(&[Sequence, BitField, TableSlot]);
    one_of: Given<Vec<Choice>> = word("one_of", "one_of = [1, 2, 4]")
        .on_field("`= [1, 2]`: the integer, enum, text (`\"ab\"`) or bytes (`b\"AB\"`) is one of these, else a reader stops", "every value")
        .expr(Before, Anything, Part)
        .forms(&[Sequence, BitField, TableSlot]);
    unique: Given<Key> = word("unique", "unique = name")
        .on_field("no two items are equal; `= name` compares a field of the item, and `name()` what a method gives; a validator reports it as an error", "-")
        .forms(&[Sequence, TableSlot]);
    sorted_by: Given<Key> = word("sorted_by", "sorted_by = offset")
        .on_field("`= offset`: the items are in the order of that field, with `key()` of what a method gives, `it` is the item itself; equal neighbours are in order; a validator reports an error", "-")
        .forms(&[Sequence, TableSlot]);
    map: Given<Map> = word("map", "map(u32, from_stored, into_stored)")
        .on_field("`(u32, from, into)`: what is stored, and two functions of yours: `from` takes it and gives the value, `into` takes the value by reference and gives what is stored; each may give an `Option` or a `Result` instead, and what fails stops the reader or the writer (`map`); a validator says where `into` does not give back what is stored (`canonical`), and a writer refuses what `from` takes for no value, or for another number (`map`); both are given `args`, and the type that is stored none; `len` is that of what is stored", "the value is stored as it is")
        .forms(&[Sequence])
        .excludes(&[(
            &["count", "until_end", "until", "nul", "trim", "calc", "section", "with", "level", "shared"],
            "has no meaning on a field with `map`; remove one",
            ), (
            &["prefix"],
            "belongs to what is stored: convert a `struct Raw(#[bin(prefix = u8)] Vec<u8>)`, and `map(Raw, ..)`",
            )]);
    with: Given<Path> = word("with", "with = my_module")
        .on_field("`= module`: the functions `read` and `write` of a module handle the field, of any type, and are given `args`; with `len` they get these bytes alone, and have to take all of them; `len(field)` is what `write` writes, so that a number of it can be derived; a validator warns where `write` does not give back what `read` has read (`with`)", "-")
        .excludes(&[
            (&["count", "until", "until_end", "nul", "trim", "prefix", "section", "little", "big"], "says how to read the field, and so does `with`; keep one"),
            (&["calc"], "computes what `with` would write; keep one"),
        ]);
    codec: Given<Expr> = word("codec", "codec = Xor(key)")
        .on_field("`= Xor(key)`: the codec of an `Encoded<C, T>`, a value of type `C`, made of earlier fields and arguments", "the `Default` of `C`")
        .on_variant("`= Xor(key)`: the codec of an `Encoded<C, T>`, made of arguments", "the `Default` of `C`")
        .expr(Before, Anything, Shape)
        .forms(&[Sequence, Element, Shapes])
        .fits(&[Sort::Encoded], "tells how the bytes of an `Encoded<C, T>` are coded; this type is none")
        .excludes(&[(&["with", "map"], "says how the field is read, and so does `codec`; keep one")]);
    until_codec: Given<()> = word("until_codec", "until_codec")
        .on_field("the coded bytes of an `Encoded<C, T>` end where its codec says that they do, and other fields may follow; `C` is a codec that ends by itself, with the trait `EndsItself`, as `Deflate` and `Zlib` are", "-")
        .on_variant("the coded bytes of an `Encoded<C, T>` end where its codec says that they do", "they are all that is left of the region")
        .forms(&[Sequence, Element, Shapes])
        .fits(&[Sort::Encoded], "asks the codec of an `Encoded<C, T>` where its bytes end; this type is none")
        .excludes(&[
            (&["len", "prefix", "count", "until", "until_end", "until_next"], "and `until_codec` both say where the field ends; keep one"),
            (&["with", "map"], "says how the field is read, and so does `until_codec`; keep one"),
        ]);
    skip: Given<()> = word("skip", "skip")
        .on_field("the field is in the struct alone: not read, not written, not in the layout, and no expression can use it", "it is in the file")
        .forms(Form::FIELDS);
    id: Given<Ids> = word("id", "id = 3")
        .on_variant("`= 3`, `= 3 \\| 5`, `= Kind::Title`, a range (`5..=9`, `5..`), `= b\"RIFF\"`, `= \"RIFF\"` or `= (1, 2)`, of which a part may be `_`: the tags of the variant, in an enum with `tag`; `= 5 if version > 1`: where a condition over arguments holds; in a union of tables one number; in an enum of numbers the numbers that the variant keeps", "needed in an enum with `tag`")
        .expr(All, Condition, Check)
        .forms(&[Numbers, Shapes, Tables]);
    other: Given<()> = word("other", "other")
        .on_variant("in an enum of numbers: the variant that keeps a number without a name; in one with `tag`, or a union of tables: the variant for every tag without one", "such a number stops a reader")
        .forms(&[Numbers, Shapes, Tables])
        .excludes(&[(&["id"], "is one tag, and `other` stands for every one without a variant; keep one")]);
    flatbuffer: Given<()> = word("flatbuffer", "flatbuffer")
        .on_type("the type stands in a `FlatBuffers` buffer: a struct is a table, an enum a union of tables or, with `#[repr(..)]`, a named number in a table", "no part of a table")
        .forms(Form::TYPES);
    inline: Given<()> = word("inline", "inline")
        .on_type("with `flatbuffer`, on a struct: it is a struct in the sense of `FlatBuffers`, of fixed size, and lies in the table itself", "a table")
        .forms(&[Struct, Bits])
        .needs(&["flatbuffer"], "makes a struct of fixed size part of a table; it goes with `flatbuffer`, on a struct")
        .excludes(&[(&["args"], "are what a value is told, and a table tells nothing to an `inline` struct; remove them")]);
    identifier: Given<LitByteStr> = word("identifier", "identifier = b\"ABCD\"")
        .on_type("`= b\"SHIP\"`: the four bytes at offset 4 of a buffer that has this table at its root", "any bytes")
        .forms(&[Table]);
    slot: Given<LitInt> = word("slot", "slot = 0")
        .on_field("`= 3`: where the vtable of a table has the field; of a union its value, whose tag has the slot before", "needed in a table")
        .forms(&[TableSlot]);
    default: Given<syn::Expr> = word("default", "default = 1")
        .on_field("`= 1`: in a table, what stands for a number that is not stored; with `skip`, what the field holds when the value has been read: literals, constants and calls, or an argument, which a writer compares with what it is passed", "0; texts and vectors are empty; with `skip`, `Default`")
        .forms(Form::FIELDS)
        .needs(&["slot", "skip"], "is for tables and for fields with `skip`: what is read needs none, and what is absent is `None`");
    required: Given<()> = word("required", "required")
        .on_field("a table that does not store the field stops a reader", "the default, or `None`")
        .forms(&[TableSlot])
        .excludes(&[(&["default"], "stands for nothing where a field is `required`; keep one")]);
    union: Given<()> = word("union", "union")
        .on_field("the field is a union: two slots, the tag and the table", "one slot")
        .forms(&[TableSlot])
        .fits(&[Sort::Nested], "is an enum of tables; this type is none");
    root: Given<Ident> = word("root", "root = field")
        .on_field("`= field`: the root of this buffer is told by an earlier `u32`, where the buffer begins; the writer computes it", "by the first four bytes")
        .fits(&[Sort::FlatBuffer], "tells where the root of a buffer is; it goes on a `FlatBuffer`");
    slots: Given<LitInt> = word("slots", "slots = 3")
        .on_variant("`= 3`: the most slots that a vtable of this schema has, in an enum that is one table in one of several schemas; the first variant with room for all slots is read", "only the last variant can be without")
        .forms(&[Form::Schemas]);
}
