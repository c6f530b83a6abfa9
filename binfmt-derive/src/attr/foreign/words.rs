//! Words of other declaration languages, each with the one that does it here. The guide's cheat
//! sheet has all of them, and a test compares the two.

use super::Place::{self, Field, Type, Variant};

/// Where words stand, the words, and what to write instead of them.
type Answer = (&'static [Place], &'static [&'static str], &'static str);

const ANYWHERE: &[Place] = &[Type, Field, Variant];
const ON_FIELD: &[Place] = &[Field];
const ON_OTHERS: &[Place] = &[Type, Variant];
const ON_TYPE: &[Place] = &[Type];
const ON_VARIANT: &[Place] = &[Variant];

/// The first that fits a place answers.
pub(super) static WORDS: &[Answer] = &[
    // Byte orders, sizes and counts.
    (
        ANYWHERE,
        &["le", "is_little", "little_endian"],
        "write `little`, or `endian = ..` where the file tells the order",
    ),
    (
        ANYWHERE,
        &["be", "is_big", "big_endian"],
        "write `big`, or `endian = ..` where the file tells the order",
    ),
    (ON_FIELD, &["endian"], "write `little` or `big`; an order that the file tells goes on a type"),
    (ANYWHERE, &["id_endian"], "write `little` or `big` on the field that holds the tag"),
    (ANYWHERE, &["bit_order"], "write `lsb` or `msb` on a struct of bit fields"),
    (ANYWHERE, &["size", "bytes", "length", "bytes_read"], "write `len = n`"),
    (ANYWHERE, &["bits_read"], "write `len = n`, in bytes"),
    (ANYWHERE, &["size_eos", "eos", "until_eof", "read_all"], "write `until_end`"),
    (ANYWHERE, &["until_exclusive"], "write `until = last == 0`, which keeps the last item"),
    (
        ON_FIELD,
        &["repeat", "repeat_expr", "repeat_until"],
        "write `count = n`, `until = last == 0` or `until_end`; `for_each = table` has a value for every item",
    ),
    // Values that are there at times, in the file alone, or in the struct alone.
    (ON_FIELD, &["cond"], "write `if = condition`, on an `Option`"),
    (ON_FIELD, &["try"], "write `optional`, on an `Option` with a `magic`"),
    (ON_OTHERS, &["try"], "write `probe` on an enum"),
    (ANYWHERE, &["temp"], "make the field an `Auto<u32>`, which is in the file alone"),
    (ANYWHERE, &["temp_value"], "write `calc = e` on an `Auto<u32>`, which is in the file alone"),
    (ANYWHERE, &["update"], "write `calc = e`"),
    (
        ON_FIELD,
        &["ignore"],
        "write `skip`, and `default = e` if it holds anything else than its `Default`",
    ),
    (ON_OTHERS, &["ignore"], "write `skip` on each field that is in the struct alone"),
    (ON_FIELD, &["value"], "write `computed(name: u32 = e)` on the type"),
    (ANYWHERE, &["value"], "write `computed(name: u32 = e)`"),
    (
        ANYWHERE,
        &["instances"],
        "write `computed(name: u32 = e)` for values, and fields with `at = offset`",
    ),
    // Places and paddings.
    (
        ON_FIELD,
        &["ptr", "pos", "seek_before", "seek_from_start", "seek_from_current", "seek_from_end"],
        "write `at = offset`; `base` says what it counts from",
    ),
    (
        ON_FIELD,
        &["offset", "offset_after"],
        "write `at = offset` for where the field lies, and `base = field` for what that counts from",
    ),
    (
        ON_FIELD,
        &["restore_position", "seek_rewind"],
        "a field with `at = offset` moves nothing behind it; to look ahead, use `peek` or `probe` on an enum",
    ),
    (ON_FIELD, &["pad_size_to"], "write `pad_to = n`, for texts `len = n, trim = 0`"),
    (ANYWHERE, &["pad_bytes_before"], "write `pad_before = n`, in bytes"),
    (ANYWHERE, &["pad_bytes_after"], "write `pad_after = n`, in bytes"),
    (
        ANYWHERE,
        &["pad_bits_before"],
        "write `pad_before = n`, on a bit field in bits, on others in bytes",
    ),
    (
        ANYWHERE,
        &["pad_bits_after"],
        "write `pad_after = n`, on a bit field in bits, on others in bytes",
    ),
    // Arguments.
    (
        ON_TYPE,
        &["import", "import_raw", "ctx", "params"],
        "write `args(name: Type)` on the type and `args(name = e)` where it is used",
    ),
    (ANYWHERE, &["import", "import_raw", "args_raw", "ctx", "params"], "write `args(name = e)`"),
    (ANYWHERE, &["ctx_default"], "give every argument a default: `args(name: Type = default)`"),
    (
        ANYWHERE,
        &["args_iter"],
        "write `for_each = table, args(name = it.part)`, which has a value for every item",
    ),
    // Enums.
    (
        ANYWHERE,
        &["pre_assert", "switch_on", "cases"],
        "write `tag = e` on the enum and `id = ..` on each variant",
    ),
    (
        ON_FIELD,
        &["repr", "enum"],
        "declare an enum with `#[repr(u8)]` and make it the type of the field",
    ),
    (
        ON_TYPE,
        &["repr", "enum"],
        "write `#[repr(u8)]` above the enum, and give each variant its number",
    ),
    (
        ON_TYPE,
        &["id_type"],
        "give each variant a `magic = 1u8`, or write `tag = e` for a number that an earlier field holds; an enum of numbers alone has `#[repr(u8)]`",
    ),
    (
        ON_FIELD,
        &["id_type", "type"],
        "the type stands behind the field's name; an enum of numbers has `#[repr(u8)]`",
    ),
    (ON_VARIANT, &["id_pat"], "write `id = 5..=9`, or `other` for every tag without a variant"),
    (ON_VARIANT, &["default", "catch_all"], "write `other`"),
    // Rules.
    (ANYWHERE, &["assert"], "write `check(condition, \"text\")`"),
    (ANYWHERE, &["assert_eq"], "write `one_of = [..]`, or `magic = 3u8`"),
    (ANYWHERE, &["contents"], "write `magic = b\"..\"`"),
    (
        ON_FIELD,
        &["valid"],
        "write `range = a..=b`, `one_of = [..]` or `check(condition, \"text\")`",
    ),
    (ANYWHERE, &["valid"], "write `check(condition, \"text\")`"),
    (
        ANYWHERE,
        &["err_context", "dbg", "return_all_errors", "return_unexpected_error"],
        "remove it; errors carry a path, and a validator reports all of them",
    ),
    // Texts, coded bytes and code.
    (ON_FIELD, &["terminator"], "write `nul`, or `until = b'|'` for another constant"),
    (ON_FIELD, &["include"], "write `until = kept(b'|')`, which keeps the constant"),
    (
        ON_FIELD,
        &["consume"],
        "write `until = peek(b'|')`, which leaves the constant to what follows",
    ),
    (
        ON_FIELD,
        &["eos_error"],
        "write `until = kept(b'|') || remaining < 1`, or `peek` in the place of `kept`",
    ),
    (ON_FIELD, &["pad_right"], "write `len = n, trim = 0x20`"),
    (
        ON_FIELD,
        &["process"],
        "write `codec = Xor(key)` on an `Encoded<Xor, T>`; `with = module` is for code of your own",
    ),
    (
        ANYWHERE,
        &["parse_with", "write_with", "reader", "writer", "custom"],
        "write `with = module`, with the functions `read` and `write`; `until_end` reads all that is left",
    ),
    (
        ANYWHERE,
        &["try_map"],
        "write `map(Stored, from, into)`; the functions may give an `Option` or a `Result`",
    ),
    (
        ANYWHERE,
        &["map_stream"],
        "write `codec = C` on an `Encoded<C, T>`, or `checksum(Crc32, over = field)` for a sum",
    ),
    (
        ANYWHERE,
        &["stream", "stream_position"],
        "use `start(field)`, `end(field)` or `remaining` in expressions; only functions of `with = module` see the bytes",
    ),
];
