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
//! ## A header, and a body that it tells the kind of
//!
//! Tag and size stand in a header that is a type of its own; `set` computes them there. What the value holds
//! in them counts for nothing.
//!
//! ```
//! use binfmt_runtime::BinFormat;
//!
//! #[derive(BinFormat, Debug, PartialEq)]
//! struct Packet {
//!     #[bin(set(kind = tag(body), size = len(body)))]
//!     header: Header,
//!     #[bin(len = header.size, args(kind = header.kind))]
//!     body: Body,
//! }
//!
//! #[derive(BinFormat, Clone, Debug, Default, PartialEq)]
//! #[bin(big, magic = b"PK")]
//! struct Header {
//!     kind: u8,
//!     flags: u8,
//!     size: u16,
//! }
//!
//! #[derive(BinFormat, Debug, PartialEq)]
//! #[bin(big, tag = kind, args(kind: u8))]
//! enum Body {
//!     #[bin(id = 1)]
//!     Move { x: i16, y: i16 },
//!     #[bin(id = 2)]
//!     Say(#[bin(until_end)] String),
//!     #[bin(other)]
//!     Other(u8, #[bin(until_end)] Vec<u8>),
//! }
//!
//! let header = Header { flags: 5, ..Header::default() };
//! let packet = Packet { header, body: Body::Say("hi".into()) };
//! assert_eq!(packet.to_vec()?, b"PK\x02\x05\0\x02hi");
//! let read = Packet::parse(b"PK\x01\0\0\x04\0\x07\xff\xff")?;
//! assert_eq!(read.body, Body::Move { x: 7, y: -1 });
//! assert_eq!(Packet::parse(b"PK\x09\0\0\x01?")?.body, Body::Other(9, b"?".to_vec()));
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
//! Other [`encodings`](crate::encodings) of numbers (MIDI, `SQLite`, DER, QUIC, BCD, text in any base)
//! are ready, too: `Coded<Vlq<4>, u32>`.
//!
//! ## A directory, and one entry of it by its tag
//!
//! The values of a directory are variants told apart by the tag of their entry, so that looking one up is a
//! search in a list.
//!
//! ```
//! use binfmt_runtime::{Auto, BinFormat};
//!
//! #[derive(BinFormat, Debug, PartialEq)]
//! #[bin(big)]
//! struct Font {
//!     count: Auto<u16>,
//!     #[bin(count = count, unique = tag)]
//!     directory: Vec<Entry>,
//!     #[bin(for_each = directory, at = it.at, len = it.len, args(tag = it.tag), align_before = 4)]
//!     tables: Vec<Table>,
//! }
//!
//! #[derive(BinFormat, Clone, Debug, PartialEq)]
//! #[bin(big)]
//! struct Entry {
//!     tag: [u8; 4],
//!     at: u32,
//!     len: u32,
//! }
//!
//! #[derive(BinFormat, Debug, PartialEq)]
//! #[bin(big, tag = tag, args(tag: [u8; 4]))]
//! enum Table {
//!     #[bin(id = b"head")]
//!     Head { units: u16 },
//!     #[bin(id = b"name")]
//!     Name(#[bin(until_end)] String),
//!     #[bin(other)]
//!     Other([u8; 4], #[bin(until_end)] Vec<u8>),
//! }
//!
//! impl Font {
//!     fn name(&self) -> Option<&str> {
//!         self.tables.iter().find_map(|table| match table {
//!             Table::Name(name) => Some(name.as_str()),
//!             _ => None,
//!         })
//!     }
//! }
//!
//! let entry = |tag| Entry { tag, at: 0, len: 0 };
//! let font = Font {
//!     count: Auto::new(),
//!     directory: vec![entry(*b"head"), entry(*b"name"), entry(*b"kern")],
//!     tables: vec![
//!         Table::Head { units: 1000 },
//!         Table::Name("Plain".into()),
//!         Table::Other(*b"kern", vec![1, 2, 3]),
//!     ],
//! };
//! let bytes = font.to_vec()?;
//! let read = Font::parse(&bytes)?;
//! assert_eq!(read.name(), Some("Plain"));
//! assert_eq!((read.directory[1].at, read.directory[1].len), (44, 5));
//! assert_eq!(read.tables, font.tables);
//! # Ok::<(), binfmt_runtime::Error>(())
//! ```
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
//! ## Nothing but a footer in the sequence
//!
//! A footer of fixed size tells where everything else lies. The bytes in front of it are a `section` of all that
//! is left but the footer; an index and what it leads to lie in there.
//!
//! ```
//! use binfmt_runtime::{Auto, BinFormat};
//!
//! #[derive(BinFormat, Debug, Default, PartialEq)]
//! #[bin(little)]
//! struct Indexed {
//!     #[bin(section, len = remaining - 9)]
//!     data: Vec<u8>,
//!     index_at: u32,
//!     count: Auto<u8>,
//!     #[bin(magic = b"DONE")]
//!     end: (),
//!     #[bin(at = index_at, count = count, place = data)]
//!     index: Vec<Entry>,
//!     #[bin(for_each = index, at = it.at, len = it.len, place = data)]
//!     bodies: Vec<String>,
//! }
//!
//! #[derive(BinFormat, Clone, Debug, Default, PartialEq)]
//! #[bin(little)]
//! struct Entry {
//!     at: u16,
//!     len: u16,
//! }
//!
//! let index = vec![Entry::default(), Entry::default()];
//! let new = Indexed { index, bodies: vec!["one".into(), "two!".into()], ..Indexed::default() };
//! let bytes = new.to_vec()?;
//! assert_eq!(bytes, b"\x08\0\x03\0\x0b\0\x04\0onetwo!\0\0\0\0\x02DONE");
//! let mut read = Indexed::parse(&bytes)?;
//! assert_eq!(read.bodies, new.bodies);
//! read.bodies[1].push('!');
//! assert_eq!(Indexed::parse(&read.to_vec()?)?.bodies[1], "two!!");
//! # Ok::<(), binfmt_runtime::Error>(())
//! ```
//!
//! ## A text that fills a region, without its fill
//!
//! `trim` needs a width, which a type in a region is given as an argument.
//!
//! ```
//! use binfmt_runtime::BinFormat;
//!
//! #[derive(BinFormat, Debug, PartialEq)]
//! struct Tape {
//!     size: u8,
//!     #[bin(len = size, args(width = size - 1))]
//!     label: Label,
//!     #[bin(len = 4, trim = 0)]
//!     owner: String,
//! }
//!
//! #[derive(BinFormat, Debug, PartialEq)]
//! #[bin(args(width: u8))]
//! struct Label {
//!     number: u8,
//!     #[bin(len = width, trim = b' ')]
//!     text: String,
//! }
//!
//! let file = b"\x0c\x07old tape   me\0\0";
//! let mut tape = Tape::parse(file)?;
//! assert_eq!((tape.label.text.as_str(), tape.owner.as_str()), ("old tape", "me"));
//! tape.label.text = "new".into();
//! assert_eq!(tape.to_vec()?, b"\x0c\x07new        me\0\0");
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
//! The same holds wherever a function or a method is given a value with numbers in it: `len = head.body_len()` sees
//! those that `head` holds.
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
//! ## A place, or the value itself
//!
//! A number that tells the place or size of a field that is not there is written as 0, and a validator says so
//! beforehand (`canonical`). Where it means something else then, as in the entries of TIFF, whose small values stand
//! in the place of the offset, say what: a number that anything else of the type names stays as it is.
//!
//! ```
//! use binfmt_runtime::BinFormat;
//!
//! #[derive(BinFormat, Debug, PartialEq)]
//! #[bin(
//!     little,
//!     computed(len: u64 = count * 2, "of all numbers"),
//!     computed(inline: u32 = if len > 4 { 0 } else { value }, "the numbers, where they have 4 bytes at most"),
//! )]
//! struct Entry {
//!     count: u32,
//!     value: u32,
//!     #[bin(if = len > 4, at = value, count = count)]
//!     numbers: Option<Vec<u16>>,
//! }
//!
//! let bytes = [1, 0, 0, 0, 77, 0, 0, 0];
//! let entry = Entry::parse(&bytes)?;
//! assert_eq!(entry.inline(), Some(77));
//! assert_eq!(entry.to_vec()?, bytes);
//!
//! let bytes = [3, 0, 0, 0, 8, 0, 0, 0, 1, 0, 2, 0, 3, 0];
//! assert_eq!(Entry::parse(&bytes)?.numbers, Some(vec![1, 2, 3]));
//! # Ok::<(), binfmt_runtime::Error>(())
//! ```
//!
//! ## A number as wide as a field says
//!
//! The offsets of a CFF font, of `iloc` in HEIF and of binary property lists have as many bytes as a number in front
//! of them says. Such a number is a type of its own that takes the width: its bytes in a region of that length,
//! converted. It is set like any other number, here as the end of each value, and one that does not fit its width is
//! refused.
//!
//! ```
//! use binfmt_runtime::BinFormat;
//!
//! /// Objects one behind the other, between offsets that count from 1.
//! #[derive(BinFormat, Debug, PartialEq)]
//! #[bin(big)]
//! struct Index {
//!     count: u16,
//!     #[bin(range = 1..=4)]
//!     width: u8,
//!     #[bin(args(width), check(first.value == 1, "offsets count from 1"))]
//!     first: Offset,
//!     #[bin(count = count, args(width))]
//!     ends: Vec<Offset>,
//!     #[bin(for_each = ends, len = it.value - (previous.value or first.value))]
//!     objects: Vec<Vec<u8>>,
//! }
//!
//! #[derive(BinFormat, Clone, Debug, PartialEq)]
//! #[bin(args(width: u8))]
//! struct Offset {
//!     #[bin(map(Digits, joined, split), len = width, args(width))]
//!     value: u32,
//! }
//!
//! #[derive(BinFormat)]
//! struct Digits {
//!     #[bin(until_end)]
//!     bytes: Vec<u8>,
//! }
//!
//! fn joined(digits: Digits, _: u8) -> u32 {
//!     digits.bytes.iter().fold(0, |value, byte| value << 8 | u32::from(*byte))
//! }
//!
//! fn split(value: &u32, width: u8) -> Digits {
//!     let bytes = value.to_be_bytes();
//!     Digits { bytes: bytes.into_iter().skip(4_usize.saturating_sub(width.into())).collect() }
//! }
//!
//! let bytes = *b"\0\x02\x02\0\x01\0\x04\0\x05abcd";
//! let mut index = Index::parse(&bytes)?;
//! assert_eq!(index.objects, [b"abc".to_vec(), b"d".to_vec()]);
//! assert_eq!(index.to_vec()?, bytes);
//!
//! index.objects[0] = b"ab".to_vec();
//! assert_eq!(index.to_vec()?, b"\0\x02\x02\0\x01\0\x03\0\x04abd");
//!
//! index.width = 1;
//! index.objects[1] = vec![0; 300];
//! assert_eq!(index.to_vec().unwrap_err().finding().path.to_string(), "ends[1].value");
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
//! Previous: [Coming from another crate](super::coming_from) · [contents](super) · next: [Ready formats](https://docs.rs/binfmt-formats/latest/binfmt_formats/guide/)
