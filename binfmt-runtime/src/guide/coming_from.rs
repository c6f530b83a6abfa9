//! # Coming from another crate
//!
//! What you know, word by word, and what to write here. All words stand in one attribute,
//! `#[bin(..)]`, which reader and writer share: nothing is said twice, so nothing can disagree.
//! The reference, [`BinFormat`](macro@crate::BinFormat), describes each.
//!
//! ## From binrw
//!
//! | there | here |
//! |---|---|
//! | `#[binrw]`, `#[br(..)]`, `#[bw(..)]` | `#[derive(BinFormat)]`, `#[bin(..)]` |
//! | `little`, `big`, `magic = x` | the same |
//! | `is_big = e`, `is_little = e` | `endian = e`, where `e` is an [`Order`](crate::Order) |
//! | unit variants with a `magic` each | `#[repr(u8)] enum { A = 1, .. }`; `#[bin(other)] Other(u8)` keeps the numbers without a name |
//! | `import(n: u32)`, `import_raw`, `args(n)`, `args_raw` | `args(n: u32)` on the type, `args(n = e)` on the field |
//! | `temp` with `bw(calc = v.len() as u32)` | `n: Auto<u32>`, and `count = n` or `len = n` on `v`; the writer needs no word |
//! | `bw(calc = e)` | `calc = e` |
//! | `br(calc = e)`, a field that is not in the file | `computed(name: u8 = e)` on the type |
//! | `Punctuated` | items with `args(number = previous.number + 1 or 0)`, and in them `#[bin(if = number > 0, magic = b", ")] between: Option<()>` |
//! | `assert(c, "text")` | `check(c, "text")`, also `range = a..=b` and `one_of = [..]`; `error`, `warn` and `note` do not stop a reader |
//! | variants with fields, and words on these | the same: `Point { x: i16, y: i16 }`, `Text(#[bin(prefix = u8)] String)` |
//! | `pre_assert` on variants | `tag = e` on the enum, `id = 3` on the variants |
//! | `repr = u8` | `#[repr(u8)]` above the enum |
//! | `return_all_errors`, `return_unexpected_error` | nothing: a validator reports all findings |
//! | `count = n` | `count = n` for items, `len = n` for bytes |
//! | `parse_with = until_eof`, `until(..)`, `until_exclusive(..)` | `until_end`; `until = last.x == 0`, which keeps the last item |
//! | `if(c)` | `if = c` on an `Option`; there is no other value for what is absent |
//! | `ignore`, `default` | `skip`, with `default = e` |
//! | `map`, `try_map` | `map(Stored, from, into)`; each function may fail |
//! | `parse_with`, `write_with` | `with = module`, which has `read` and `write` |
//! | `pad_before`, `pad_after`, `align_before`, `align_after` | the same; the fill is checked |
//! | `pad_size_to = n` | `pad_to = n`; a text of fixed width is `len = n, trim = 0` |
//! | `NullString`, `NullWideString` | `#[bin(nul)] String`, `#[bin(nul)] Utf16<'a>` |
//! | `FilePtr<u32, T>`, `ptr` | a `u32` field, and `#[bin(at = field)] T`; the writer computes the offset |
//! | `FilePtr::parse_from_iter` | `for_each = table, at = it.offset` |
//! | `args_iter` over an earlier table | `for_each = table, len = it.len, args(kind = it.kind)`, one value behind the other |
//! | `offset = base`, `offset_after` | `base = field` beside `at`, or `origin` on the type |
//! | an offset from where it stands itself | a signed field, and `at = start(rel) + rel`; in a table `at = start(rows) + index * 8 + it.rel` |
//! | `seek_before`, `restore_position` | `at = e`, of a header as well: `at = header.at` beside `set(at = start(body))` on it; over bytes that other fields have, `at = e, view` |
//! | `PosValue`, `stream_position`, `stream` | `start(field)`, `end(field)`, `remaining` in expressions |
//! | `map_stream` | `codec = Xor(key)` on an `Encoded<..>`; `checksum(Crc32, over = field)` |
//! | `try` | `optional`, on an `Option` whose type has a `magic`; else `probe` on an enum, whose last variant takes what is left |
//! | `dbg`, `err_context` | nothing: errors carry path, offset, expected and found |
//!
//! ## From deku
//!
//! | there | here |
//! |---|---|
//! | `endian = "big"`, `id_endian`, `bit_order` | `big`, on the field that holds the tag, too; `lsb` or `msb` on a struct of bit fields |
//! | `bits = 3` on fields of one struct | `bits = u16, msb` on the struct, `bits = 3` on its fields |
//! | `bytes = 3`, `bytes_read`, `bits_read` | the type `U24`; `len = n`, in bytes |
//! | `id = "kind"`, `id_pat = "_"` | `tag = kind` and `id = 3`, `id = 5..`, `id = b"RIFF"`; `#[bin(other)]` |
//! | `id_type = "u8"` | `magic = 1u8` on each variant; `#[repr(u8)]` on an enum of numbers |
//! | `default` on a variant | `#[bin(other)]` |
//! | `count = "n"` with `update = "self.v.len()"` | `n: Auto<u8>` and `count = n`, or `calc = e`; nothing to call |
//! | `read_all` | `until_end` |
//! | `cond = "c"`, `default` | `if = c` on an `Option` |
//! | `assert_eq = "3"` | `one_of = [3]`, or `magic = 3u8` |
//! | `ctx = "n: u8"`, `ctx_default = "1"` | `args(n: u8)`, `args(n: u8 = 1)` |
//! | `pad_bytes_before = "3"`, `pad_bytes_after = "3"` | `pad_before = 3`, `pad_after = 3` |
//! | `pad_bits_before = "3"`, `pad_bits_after = "3"` | `pad_before = 3`, `pad_after = 3` on a bit field |
//! | `reader`, `writer`, `map` | `with = module`, `map(Stored, from, into)` |
//! | `temp`, `temp_value` | `Auto<T>`, with `calc = e` where no `len`, `count` or `at` names it |
//! | `seek_from_start`, `seek_from_current`, `seek_from_end` | `at = e`; `base` says what it counts from |
//! | `seek_rewind` | `at = e, view`, or `peek` on an enum |
//!
//! ## From Kaitai Struct
//!
//! | there | here |
//! |---|---|
//! | `contents`, `valid` | `magic`; `check`, `range`, `one_of` |
//! | `size: n`, `size-eos: true` | `len = n`, `until_end` |
//! | `repeat: expr`, `eos`, `until` (`repeat-expr`, `repeat-until`) | `count = n`, `until_end`, `until = last.x == 0` |
//! | `terminator` with `include: true`, `consume: false`, `eos-error: false` | `until = kept(b'\|')`, `until = peek(b'\|')`, beside either one `\|\| remaining < 1` |
//! | `strz`, `terminator`, `pad-right` | `nul`, `until = b'\|'`, `trim = 0x20`; `strz` with a `size` is `len = n, nul = optional` |
//! | `include: true`, `consume: false` | `until = kept(b'\|')`, `until = peek(b'\|')` |
//! | `switch-on`, `cases`, `_` | an enum with `tag = e`, `id = 3`, `#[bin(other)]` |
//! | `enum` | `#[repr(u8)] enum` |
//! | `type: u4` | the type of the field; an enum of numbers has `#[repr(u8)]` |
//! | `params` | `args`; of the item before: `args(status = previous.status or 0)` on a `Vec` or a `LinkedSeq` |
//! | `repeat: expr` with `sizes[_index]`, `types[_index]` | `for_each = sizes, len = it`; `index` is the number; without a table, items count themselves: `args(number = previous.number + 1 or 0)` |
//! | `repeat: expr` with `offsets[_index + 1]` | the first offset is a field of its own, the others are ends: `for_each = ends, len = it - (previous or first)` |
//! | `instances` with `pos` | a field with `at`; over bytes that other fields have, `at = e, view` |
//! | `instances` with `value` | `computed(name: u32 = e)`: a name, a method and a node of `inspect`; `let(name = e)` is a name alone |
//! | `_root`, `_parent` | arguments: a type sees nothing but its fields and what it is given |
//! | `_io.pos`, `_io.size` | `start(field)`, `remaining` |
//! | `process` | `codec = Xor(key)`, `codec = Zlib` on an `Encoded<..>`, with `until_codec` where no size is stored; `with = module` |
//! | `if` | `if = c` on an `Option` |
//!
//! ## Words of no one crate
//!
//! | there | here |
//! |---|---|
//! | `le`, `little_endian` | `little` |
//! | `be`, `big_endian` | `big` |
//! | `length` | `len = n` |
//! | `custom` | `with = module` |
//! | `catch_all` | `other` |
//!
//! ---
//!
//! Previous: [Errors and limits](super::errors_and_limits) · [contents](super) · next: [Recipes](super::recipes)
