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
//! | `import(n: u32)`, `args(n)` | `args(n: u32)` on the type, `args(n = e)` on the field |
//! | `temp` with `bw(calc = v.len() as u32)` | `n: Auto<u32>`, and `count = n` or `len = n` on `v`; the writer needs no word |
//! | `bw(calc = e)` | `calc = e` |
//! | `assert(c, "text")` | `check(c, "text")`, also `range = a..=b` and `one_of = [..]`; `error`, `warn` and `note` do not stop a reader |
//! | variants with fields, and words on these | the same: `Point { x: i16, y: i16 }`, `Text(#[bin(prefix = u8)] String)` |
//! | `pre_assert` on variants | `tag = e` on the enum, `id = 3` on the variants |
//! | `count = n` | `count = n` for items, `len = n` for bytes |
//! | `parse_with = until_eof`, `until(..)` | `until_end`; `until = last.x == 0` |
//! | `if(c)` | `if = c` on an `Option`; there is no other value for what is absent |
//! | `ignore`, `default` | `skip`, with `default = e` |
//! | `map`, `try_map` | `map(Stored, from, into)`; each function may fail |
//! | `parse_with`, `write_with` | `with = module`, which has `read` and `write` |
//! | `pad_before`, `pad_after`, `align_before`, `align_after` | the same; the fill is checked |
//! | `pad_size_to = n` | `pad_to = n`; a text of fixed width is `len = n, trim = 0` |
//! | `NullString`, `NullWideString` | `#[bin(nul)] String`, `#[bin(nul)] Utf16<'a>` |
//! | `FilePtr<u32, T>` | a `u32` field, and `#[bin(at = field)] T`; the writer computes the offset |
//! | `FilePtr::parse_from_iter` | `for_each = table, at = it.offset` |
//! | `args_iter` over an earlier table | `for_each = table, len = it.len, args(kind = it.kind)`, one value behind the other |
//! | `offset = base` | `base = field`, or `origin` on the type |
//! | `seek_before`, `restore_position` | `at = e`, of a header as well: `at = header.at` beside `set(at = start(body))` on it; over bytes that other fields have, `at = e, view` |
//! | `PosValue`, `stream_position` | `start(field)`, `end(field)` in expressions |
//! | `try`, `dbg`, `err_context` | nothing: errors carry path, offset, expected and found |
//!
//! ## From deku
//!
//! | there | here |
//! |---|---|
//! | `endian = "big"` | `big` |
//! | `bits = 3` on fields of one struct | `bits = u16, msb` on the struct, `bits = 3` on its fields |
//! | `bytes = 3` | the type `U24` |
//! | `id = "kind"`, `id_type`, `id_pat = "_"` | `tag = kind` and `id = 3`, `id = 5..`, `id = b"RIFF"`; `#[bin(other)]` |
//! | `count = "n"` with `update = "self.v.len()"` | `n: Auto<u8>` and `count = n`; nothing to call |
//! | `read_all` | `until_end` |
//! | `cond = "c"`, `default` | `if = c` on an `Option` |
//! | `assert_eq = "3"` | `one_of = [3]`, or `magic = 3u8` |
//! | `ctx = "n: u8"` | `args(n: u8)` |
//! | `pad_bytes_after = "3"` | `pad_after = 3` |
//! | `pad_bits_after = "3"` | `pad_after = 3` on a bit field |
//! | `reader`, `writer`, `map` | `with = module`, `map(Stored, from, into)` |
//! | `temp`, `temp_value` | `Auto<T>` |
//! | `seek_from_start` | `at = e` |
//!
//! ## From Kaitai Struct
//!
//! | there | here |
//! |---|---|
//! | `contents`, `valid` | `magic`; `check`, `range`, `one_of` |
//! | `size: n`, `size-eos: true` | `len = n`, `until_end` |
//! | `repeat: expr`, `eos`, `until` | `count = n`, `until_end`, `until = last.x == 0` |
//! | `type: strz`, `terminator`, `pad-right` | `nul`, `until = b'\|'`, `trim = 0x20`; `strz` with a `size` is `len = n, nul = optional` |
//! | `include: true`, `consume: false` | `until = kept(b'\|')`, `until = peek(b'\|')` |
//! | `switch-on`, `cases`, `_` | an enum with `tag = e`, `id = 3`, `#[bin(other)]` |
//! | `enum` | `#[repr(u8)] enum` |
//! | `params` | `args`; of the item before: `args(status = previous.status or 0)` on a `Vec` or a `LinkedSeq` |
//! | `repeat: expr` with `sizes[_index]`, `types[_index]` | `for_each = sizes, len = it`; `index` is the number |
//! | `instances` with `pos` | a field with `at`; over bytes that other fields have, `at = e, view` |
//! | `instances` with `value` | `computed(name: u32 = e)`: a name, a method and a node of `inspect`; `let(name = e)` is a name alone |
//! | `_root`, `_parent` | arguments: a type sees nothing but its fields and what it is given |
//! | `_io.pos`, `_io.size` | `start(field)`, `remaining` |
//! | `process` | `codec = Xor(key)`, `codec = Zlib` on an `Encoded<..>`, with `until_codec` where no size is stored; `with = module` |
//! | `if` | `if = c` on an `Option` |
//!
//! # Recipes
//!
//! ## Tag, size, body
//!
//! The tag follows from the variant and the size from the body, so a value has neither.
//!
//! ```
//! use binfmt_runtime::{Auto, BinFormat};
//!
//! #[derive(BinFormat, Debug, PartialEq)]
//! #[bin(big)]
//! struct Chunk {
//!     #[bin(calc = tag(body))]
//!     tag: Auto<u16>,
//!     size: Auto<u32>,
//!     #[bin(len = size, args(tag))]
//!     body: Body,
//! }
//!
//! #[derive(BinFormat, Debug, PartialEq)]
//! #[bin(big, tag = tag, args(tag: u16))]
//! enum Body {
//!     #[bin(id = 1)]
//!     Title(Title),
//!     #[bin(id = 2)]
//!     Length(u32),
//!     #[bin(other)]
//!     Other(u16, Unknown),
//! }
//!
//! #[derive(BinFormat, Debug, PartialEq)]
//! struct Title {
//!     #[bin(until_end)]
//!     text: String,
//! }
//!
//! #[derive(BinFormat, Debug, PartialEq)]
//! struct Unknown {
//!     #[bin(until_end)]
//!     bytes: Vec<u8>,
//! }
//!
//! let title = Body::Title(Title { text: "One".into() });
//! let chunk = Chunk { tag: Auto::new(), size: Auto::new(), body: title };
//! assert_eq!(chunk.to_vec()?, b"\0\x01\0\0\0\x03One");
//! let other = Chunk::parse(b"\0\x09\0\0\0\x01?")?;
//! assert_eq!(other.body, Body::Other(9, Unknown { bytes: b"?".to_vec() }));
//! assert_eq!(other.to_vec()?, b"\0\x09\0\0\0\x01?");
//! # Ok::<(), binfmt_runtime::Error>(())
//! ```
//!
//! ## A size of three forms
//!
//! The size of a box in an MP4 file is a number, 1 where a wider one follows, or 0 where the box takes all
//! that is left. `calc` keeps the form that was read, or that a value is made with.
//!
//! ```
//! use binfmt_runtime::BinFormat;
//!
//! #[derive(BinFormat, Debug, PartialEq)]
//! struct Movie {
//!     #[bin(until_end)]
//!     boxes: Vec<MovieBox>,
//! }
//!
//! #[derive(BinFormat, Debug, PartialEq)]
//! #[bin(big)]
//! struct MovieBox {
//!     /// Above 1 it is computed; a new box may say 2.
//!     #[bin(calc = if size > 1 { len(body) + 8 } else { size })]
//!     size: u32,
//!     kind: [u8; 4],
//!     #[bin(if = size == 1, calc = len(body) + 16)]
//!     large: Option<u64>,
//!     #[bin(len = if size == 0 { remaining } else if size == 1 { large - 16 } else { size - 8 })]
//!     body: Vec<u8>,
//! }
//!
//! let file = b"\0\0\0\x0afreeab\0\0\0\x01wide\0\0\0\0\0\0\0\x12cd\0\0\0\0mdatef";
//! let mut movie = Movie::parse(file)?;
//! assert_eq!(movie.to_vec()?, file);
//! for one in &mut movie.boxes {
//!     one.body.push(b'!');
//! }
//! let longer = b"\0\0\0\x0bfreeab!\0\0\0\x01wide\0\0\0\0\0\0\0\x13cd!\0\0\0\0mdatef!";
//! assert_eq!(movie.to_vec()?, longer);
//! // Only the last box can take all that is left.
//! movie.boxes.swap(0, 2);
//! assert_eq!(movie.to_vec().unwrap_err().finding().code, "until");
//! # Ok::<(), binfmt_runtime::Error>(())
//! ```
//!
//! ## A table, and bodies behind it
//!
//! ```
//! use binfmt_runtime::{Auto, BinFormat};
//!
//! #[derive(BinFormat, Debug, PartialEq)]
//! #[bin(little)]
//! struct Archive {
//!     count: Auto<u16>,
//!     #[bin(count = count)]
//!     table: Vec<Entry>,
//!     #[bin(for_each = table, at = it.offset, len = it.len, align_after = 4)]
//!     bodies: Vec<Vec<u8>>,
//! }
//!
//! /// The writer computes both numbers; a value may hold anything.
//! #[derive(BinFormat, Clone, Debug, Default, PartialEq)]
//! #[bin(little)]
//! struct Entry {
//!     offset: u32,
//!     len: u32,
//! }
//!
//! let table = vec![Entry::default(), Entry::default()];
//! let archive = Archive { count: Auto::new(), table, bodies: vec![b"one".to_vec(), b"two!".to_vec()] };
//! let bytes = archive.to_vec()?;
//! let read = Archive::parse(&bytes)?;
//! assert_eq!(read.table[1], Entry { offset: 24, len: 4 });
//! assert_eq!(read.bodies, archive.bodies);
//! # Ok::<(), binfmt_runtime::Error>(())
//! ```
//!
//! The numbers of the table may be of variable length, as `Leb128<u32>`; then its length follows from them.
//! Other [`encodings`](crate::encodings) of numbers (MIDI, `SQLite`, DER, QUIC, octal text, BCD) are ready, too:
//! `Coded<Vlq<4>, u32>`.
//!
//! ## Alignment that is no power of two, or counts from a message
//!
//! A padding in bytes says any alignment; a field without bytes says where it begins.
//!
//! ```
//! use binfmt_runtime::{Auto, BinFormat};
//!
//! /// Cards up to the next multiple of 80 bytes.
//! #[derive(BinFormat, Debug, PartialEq)]
//! struct Cards {
//!     count: Auto<u8>,
//!     #[bin(len = count, pad_after = align_up(end(cards), 80) - end(cards))]
//!     cards: Vec<u8>,
//! }
//!
//! /// A message, in which numbers are aligned from its start on, however deep they are nested.
//! #[derive(BinFormat, Debug, PartialEq)]
//! #[bin(origin)]
//! struct Message {
//!     kind: u8,
//!     body: Body,
//! }
//!
//! #[derive(BinFormat, Debug, PartialEq)]
//! #[bin(little)]
//! struct Body {
//!     flag: u8,
//!     #[bin(pad_after = align_up(start(here), 4) - start(here))]
//!     here: (),
//!     number: u32,
//! }
//!
//! assert_eq!(Cards { count: Auto::new(), cards: vec![1; 90] }.to_vec()?.len(), 160);
//! let message = Message { kind: 1, body: Body { flag: 2, here: (), number: 3 } };
//! assert_eq!(message.to_vec()?, [1, 2, 0, 0, 3, 0, 0, 0]);
//! # Ok::<(), binfmt_runtime::Error>(())
//! ```
//!
//! ## A header at the end
//!
//! What lies in front of it is a `section`, which ends where the header is found; the values in it are
//! read when the header is known.
//!
//! ```
//! use binfmt_runtime::{Auto, BinFormat};
//!
//! #[derive(BinFormat, Debug, Default, PartialEq)]
//! #[bin(little)]
//! struct Appended {
//!     #[bin(section, until = peek_last(b"TAIL"))]
//!     data: Vec<u8>,
//!     #[bin(magic = b"TAIL")]
//!     count: Auto<u16>,
//!     #[bin(count = count)]
//!     table: Vec<Entry>,
//!     #[bin(for_each = table, at = it.offset, len = it.len, place = data)]
//!     bodies: Vec<Vec<u8>>,
//! }
//!
//! #[derive(BinFormat, Clone, Debug, Default, PartialEq)]
//! #[bin(little)]
//! struct Entry {
//!     offset: u32,
//!     len: u32,
//! }
//!
//! let table = vec![Entry::default()];
//! let file = Appended { table, bodies: vec![b"one".to_vec()], ..Appended::default() };
//! let bytes = file.to_vec()?;
//! assert_eq!(bytes, b"oneTAIL\x01\0\0\0\0\0\x03\0\0\0");
//! assert_eq!(Appended::parse(&bytes)?.bodies, file.bodies);
//! # Ok::<(), binfmt_runtime::Error>(())
//! ```
//!
//! ## A length in a bit field
//!
//! A number of a nested value is computed by `set`, which the writer solves and a validator compares.
//!
//! ```
//! use binfmt_runtime::BinFormat;
//!
//! #[derive(BinFormat, Debug, PartialEq)]
//! #[bin(big)]
//! struct Segment {
//!     #[bin(set(words = 5 + len(options) / 4))]
//!     head: Head,
//!     ports: [u16; 2],
//!     rest: [u8; 14],
//!     #[bin(len = head.words * 4 - 20)]
//!     options: Vec<u8>,
//! }
//!
//! #[derive(BinFormat, Clone, Debug, PartialEq)]
//! #[bin(big, bits = u16, msb)]
//! struct Head {
//!     #[bin(bits = 4)]
//!     words: u8,
//!     #[bin(bits = 12)]
//!     flags: u16,
//! }
//!
//! let head = Head { words: 0, flags: 2 };
//! let segment = Segment { head, ports: [80, 81], rest: [0; 14], options: vec![1; 8] };
//! let bytes = segment.to_vec()?;
//! assert_eq!(bytes[0], 0x70);
//! assert_eq!(Segment::parse(&bytes)?.options, [1; 8]);
//! # Ok::<(), binfmt_runtime::Error>(())
//! ```
//!
//! ## A number of the value, told by the table
//!
//! `set` takes what a value holds, and a number that the value's own writer computes may be an old one there.
//! Then the writer refuses; [`settle`](crate::BinFormat::settle), or
//! [`settle_with`](crate::BinFormat::settle_with) where the value takes arguments, gives the value with the numbers that are written.
//!
//! ```
//! use binfmt_runtime::BinFormat;
//!
//! #[derive(BinFormat, Debug, PartialEq)]
//! struct Book {
//!     #[bin(prefix = u8)]
//!     contents: Vec<Line>,
//!     #[bin(for_each = contents, at = it.at, set(it.words = value.count), args(first = index))]
//!     chapters: Vec<Chapter>,
//! }
//!
//! #[derive(BinFormat, Clone, Debug, Default, PartialEq)]
//! struct Line {
//!     at: u8,
//!     words: u8,
//! }
//!
//! #[derive(BinFormat, Clone, Debug, PartialEq)]
//! #[bin(args(first: u64), check(count > first, "the chapter is too short"))]
//! struct Chapter {
//!     count: u8,
//!     #[bin(len = count)]
//!     words: Vec<u8>,
//! }
//!
//! let mut book = Book::parse(&[1, 3, 2, 2, 10, 11])?;
//! book.chapters[0].words.push(12);
//! let error = book.to_vec().unwrap_err();
//! assert_eq!((error.finding().path.as_str(), error.finding().code), ("chapters[0].count", "derived"));
//! book.chapters[0] = book.chapters[0].settle_with(&mut Vec::new(), 0)?;
//! assert_eq!(book.to_vec()?, [1, 3, 3, 3, 10, 11, 12]);
//! # Ok::<(), binfmt_runtime::Error>(())
//! ```
//!
//! ## Growth in a fixed region
//!
//! `pad_to` keeps the space that a file gave a value, and takes more only when it must.
//!
//! ```
//! use binfmt_runtime::{Auto, BinFormat};
//!
//! #[derive(BinFormat, Debug, PartialEq)]
//! #[bin(little)]
//! struct Slot {
//!     space: u16,
//!     len: Auto<u16>,
//!     #[bin(len = len, pad_to = space, align_after = 8)]
//!     text: String,
//!     end: u8,
//! }
//!
//! let mut slot = Slot::parse(b"\x08\0\x02\0hi\0\0\0\0\0\0!")?;
//! slot.text = "longer".into();
//! assert_eq!(slot.to_vec()?, b"\x08\0\x06\0longer\0\0!");
//! slot.text = "much longer".into();
//! assert_eq!(slot.to_vec()?, b"\x10\0\x0b\0much longer\0\0\0\0\0!");
//! # Ok::<(), binfmt_runtime::Error>(())
//! ```
//!
//! ## What no word says
//!
//! A module with `read` and `write` handles one field, of any type. The positions, the limits and
//! the errors stay those of the walk.
//!
//! ```
//! use binfmt_runtime::BinFormat;
//!
//! #[derive(BinFormat, Debug, PartialEq)]
//! struct Header {
//!     #[bin(with = octal)]
//!     mode: u32,
//! }
//!
//! /// A number as six octal digits and a NUL.
//! mod octal {
//!     use binfmt_runtime::{Cursor, Fault, Writer};
//!
//!     pub(crate) fn read(cur: &mut Cursor<'_>) -> Result<u32, Fault> {
//!         let at = cur.pos();
//!         let digits = cur.take(7).and_then(|bytes| bytes.strip_suffix(b"\0"));
//!         let text = digits.and_then(|digits| core::str::from_utf8(digits).ok());
//!         text.and_then(|text| u32::from_str_radix(text, 8).ok()).ok_or(Fault::at(at))
//!     }
//!
//!     pub(crate) fn write(value: &u32, out: &mut Writer<'_>) -> Result<(), Fault> {
//!         out.put(format!("{value:06o}\0").as_bytes())
//!     }
//! }
//!
//! let header = Header::parse(b"000644\0")?;
//! assert_eq!(header.mode, 0o644);
//! assert_eq!(header.to_vec()?, b"000644\0");
//! # Ok::<(), binfmt_runtime::Error>(())
//! ```
//!
//! ---
//!
//! Previous: [Errors and limits](super::errors_and_limits) · [contents](super) · next: [Ready formats](https://docs.rs/binfmt-formats/latest/binfmt_formats/guide/)
