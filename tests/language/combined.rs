//! Words in combination: what is written is read back as the same value, or refused.

use std::fmt::Debug;

use binfmt_runtime::{Auto, BinFormat, Crc32, DefaultArgs, Leb128, laws};

/// The laws of a value; the bytes, unless the writer refuses it.
#[track_caller]
fn written<T>(value: &T) -> Option<&'static [u8]>
where
    T: BinFormat<'static> + DefaultArgs<'static> + Debug + PartialEq,
{
    match laws::written_is_read(value, T::default_args()) {
        Ok(outcome) => outcome.ok(),
        Err(broken) => panic!("{broken}: {value:?}"),
    }
}

/// The value is written, and read back as `settled`.
#[track_caller]
fn settled<T>(value: &T, settled: &T)
where
    T: BinFormat<'static> + DefaultArgs<'static> + Debug + PartialEq,
{
    let bytes = written(value).unwrap_or_else(|| panic!("{:?}", value.to_vec()));
    assert_eq!(&T::parse(bytes).unwrap(), settled, "{bytes:02x?}");
}

/// A number at an offset behind the offset: its length is that of both.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Body {
    at: u32,
    #[bin(at = at)]
    number: u32,
}

const fn body(at: u32) -> Body {
    Body { at, number: 5 }
}

mod sizes_of_what_has_located_fields {
    use super::*;

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct AtOffset {
        at: u32,
        len: u32,
        #[bin(at = at, len = len)]
        body: Body,
    }

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct InSequence {
        len: u32,
        #[bin(len = len)]
        body: Body,
        tail: u8,
    }

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct BehindPrefix {
        #[bin(prefix = u32)]
        body: Body,
        tail: u8,
    }

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct Computed {
        at: u32,
        #[bin(calc = len(body))]
        len: u32,
        #[bin(at = at)]
        body: Body,
    }

    #[derive(BinFormat, Clone, Debug, Default, PartialEq)]
    #[bin(little)]
    struct Entry {
        at: u32,
        len: u32,
    }

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct Table {
        count: Auto<u8>,
        #[bin(count = count)]
        entries: Vec<Entry>,
        #[bin(for_each = entries, at = it.at, len = it.len)]
        bodies: Vec<Body>,
    }

    #[derive(BinFormat, Clone, Debug, PartialEq)]
    #[bin(little)]
    struct Head {
        size: u16,
    }

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct Set {
        #[bin(set(size = len(body)))]
        head: Head,
        #[bin(len = head.size)]
        body: Body,
    }

    #[test]
    fn are_counted_where_the_value_stands() {
        settled(
            &AtOffset { at: 0, len: 0, body: body(0) },
            &AtOffset { at: 8, len: 8, body: body(12) },
        );
        settled(
            &InSequence { len: 0, body: body(0), tail: 7 },
            &InSequence { len: 8, body: body(8), tail: 7 },
        );
        settled(&BehindPrefix { body: body(0), tail: 7 }, &BehindPrefix { body: body(8), tail: 7 });
        settled(
            &Computed { at: 0, len: 0, body: body(0) },
            &Computed { at: 8, len: 8, body: body(12) },
        );
        let (head, set) = (Head { size: 0 }, Head { size: 8 });
        settled(&Set { head, body: body(0) }, &Set { head: set, body: body(6) });
        let entries = vec![Entry { at: 17, len: 8 }, Entry { at: 25, len: 8 }];
        settled(
            &Table {
                count: Auto::new(),
                entries: vec![Entry::default(); 2],
                bodies: vec![body(0); 2],
            },
            &Table { count: Auto::new(), entries, bodies: vec![body(21), body(29)] },
        );
    }
}

mod checksums_of_padded_fields {
    use super::*;

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct Located {
        at: u16,
        len: Auto<u16>,
        #[bin(checksum(Crc32, over = data))]
        sum: u32,
        #[bin(at = at, len = len, pad_before = 3, align_after = 8, pad_after = 2, fill = 9)]
        data: Vec<u8>,
    }

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct Prefixed {
        at: u16,
        #[bin(checksum(Crc32, over = data))]
        sum: Auto<u32>,
        #[bin(at = at, magic = b"MG", prefix = u16, align_before = 4, align_after = 4)]
        data: Vec<u16>,
    }

    /// The checksum lies behind what it covers, in the same section, and counts as zero.
    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct InSection {
        len: Auto<u16>,
        data_at: u16,
        sum_at: u16,
        data_len: Auto<u8>,
        #[bin(section, len = len)]
        section: Vec<u8>,
        #[bin(at = data_at, place = section, len = data_len, align_after = 4, fill = 7)]
        data: Vec<u8>,
        #[bin(at = sum_at, place = section, pad_after = 2, fill = 7, checksum(Crc32, over = data))]
        sum: u32,
        #[bin(checksum(Crc32, over = section, zero = sum))]
        all: u32,
    }

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct Run {
        #[bin(checksum(Crc32, over = a..=c))]
        sum: u32,
        #[bin(pad_before = 1, align_after = 4)]
        a: u8,
        len: Auto<u8>,
        #[bin(len = len, pad_after = 3)]
        b: Vec<u8>,
        #[bin(align_before = 8, pad_after = 2)]
        c: u8,
        #[bin(checksum(Crc32, over = self, zero = sum))]
        all: u32,
    }

    #[test]
    fn cover_the_field_and_not_the_padding_around_it() {
        for len in 0..20_u16 {
            let data = vec![1; len.into()];
            let value = Located { at: 0, len: Auto::new(), sum: 9, data: data.clone() };
            let bytes = written(&value).unwrap();
            let mut damaged = bytes.to_vec();
            // The last byte is padding.
            *damaged.last_mut().unwrap() ^= u8::from(len > 0);
            let report = Located::validate(&damaged);
            assert!(report.is_ok(), "{report}");
            let words = vec![1; len.into()];
            assert!(written(&Prefixed { at: 0, sum: Auto::new(), data: words }).is_some());
            let b = data.clone();
            assert!(written(&Run { sum: 0, a: 1, len: Auto::new(), b, c: 2, all: 0 }).is_some());
            let section = Vec::new();
            let value = InSection {
                len: Auto::new(),
                data_at: 0,
                sum_at: 0,
                data_len: Auto::new(),
                section,
                data,
                sum: 0,
                all: 0,
            };
            // The bytes of the section are in the value that is read, too.
            let bytes = value.to_vec().unwrap();
            let report = InSection::validate(&bytes);
            assert!(report.is_ok(), "{report}");
            assert_eq!(InSection::parse(&bytes).unwrap().to_vec().unwrap(), bytes);
        }
    }

    #[derive(BinFormat, Clone, Debug, PartialEq)]
    #[bin(little)]
    struct Tail {
        sum: u32,
        kind: u8,
    }

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct Copied {
        len: Auto<u8>,
        #[bin(len = len)]
        data: Vec<u8>,
        #[bin(checksum(Crc32, over = data))]
        sum: Auto<u32>,
        #[bin(set(sum = sum))]
        tail: Tail,
    }

    #[test]
    fn are_known_when_other_numbers_are_set_from_them() {
        let tail = |sum| Tail { sum, kind: 1 };
        let value = |sum| Copied {
            len: Auto::new(),
            data: vec![1, 2, 3],
            sum: Auto::new(),
            tail: tail(sum),
        };
        settled(&value(0), &value(0x55bc_801d));
    }
}

mod values_that_would_be_read_as_something_else {
    use super::*;

    #[derive(BinFormat, Debug, PartialEq)]
    struct NotEmpty {
        #[bin(until_end, check(!data.is_empty(), "empty"))]
        data: Vec<u8>,
    }

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct Elsewhere {
        at: u32,
        #[bin(at = at)]
        value: NotEmpty,
    }

    #[test]
    fn are_refused_where_they_have_no_bytes() {
        assert!(written(&Elsewhere { at: 4, value: NotEmpty { data: vec![] } }).is_none());
        assert!(written(&Elsewhere { at: 4, value: NotEmpty { data: vec![1] } }).is_some());
    }

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct Far {
        at: u64,
        #[bin(at = at)]
        value: u8,
    }

    #[test]
    fn are_refused_where_no_memory_would_hold_them() {
        assert!(Far { at: 1 << 40, value: 1 }.to_vec().is_err());
        assert!(Far { at: u64::MAX, value: 1 }.to_vec().is_err());
        assert_eq!(Far { at: 1 << 12, value: 1 }.to_vec().unwrap().len(), (1 << 12) + 1);
    }

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct WhileEnoughIsLeft {
        #[bin(until = remaining < 4)]
        items: Vec<u32>,
        #[bin(until_end)]
        tail: Vec<u8>,
    }

    /// The rest of the region, in which a located field lies, too; the derive sees no type but its own.
    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct AllThatIsLeft {
        at: u16,
        #[bin(at = at)]
        located: u32,
        rest: Rest,
    }

    #[derive(BinFormat, Debug, PartialEq)]
    struct Rest {
        #[bin(until_end)]
        bytes: Vec<u8>,
    }

    #[test]
    fn are_refused_where_a_reader_would_go_on() {
        for len in 0..9 {
            let value = WhileEnoughIsLeft { items: vec![1, 2], tail: vec![5; len] };
            assert_eq!(written(&value).is_some(), len < 4, "{len}");
        }
        assert!(
            written(&AllThatIsLeft { at: 0, located: 1, rest: Rest { bytes: vec![2] } }).is_none()
        );
    }

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct Ends {
        #[bin(until = last == 0)]
        items: Vec<u16>,
        tail: u8,
    }

    #[test]
    fn are_refused_where_items_end_too_early_or_too_late() {
        for (items, ends) in [
            (vec![], false),
            (vec![0], true),
            (vec![1], false),
            (vec![1, 0], true),
            (vec![0, 0], false),
            (vec![0, 1], false),
        ] {
            assert_eq!(
                written(&Ends { items: items.clone(), tail: 5 }).is_some(),
                ends,
                "{items:?}"
            );
        }
    }
}

mod lengths_of_variable_width {
    use super::*;

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct Outer {
        len: Auto<Leb128<u32>>,
        #[bin(len = len)]
        inner: Inner,
        tail: u8,
    }

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct Inner {
        #[bin(prefix = Leb128<u32>)]
        items: Vec<u16>,
        #[bin(until_end)]
        rest: Vec<u8>,
    }

    #[test]
    fn fit_what_they_count_at_every_step_of_their_width() {
        for len in [0, 1, 60, 63, 64, 76, 120, 126, 127, 128, 129, 200, 8000, 16383, 16384] {
            let inner = || Inner { items: vec![1; len / 3], rest: vec![2; len] };
            let value = || Outer { len: Auto::new(), inner: inner(), tail: 1 };
            settled(&value(), &value());
        }
    }
}

mod regions_of_located_values {
    use super::*;

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct One {
        at: u32,
        len: u8,
        room: u8,
        #[bin(at = at, len = len, pad_to = room, align_after = 4)]
        data: Vec<u8>,
        tail: u8,
    }

    #[derive(BinFormat, Clone, Debug, PartialEq)]
    #[bin(little)]
    struct Entry {
        at: u32,
        len: u8,
        room: u8,
    }

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct Table {
        count: Auto<u8>,
        #[bin(count = count)]
        entries: Vec<Entry>,
        #[bin(for_each = entries, at = it.at, len = it.len, pad_to = it.room, align_after = 4)]
        bodies: Vec<Vec<u8>>,
    }

    #[derive(BinFormat, Debug, PartialEq)]
    #[bin(little)]
    struct Constant {
        count: Auto<u8>,
        #[bin(count = count)]
        entries: Vec<Entry>,
        #[bin(for_each = entries, at = it.at, len = it.len, pad_to = 8)]
        bodies: Vec<Vec<u8>>,
    }

    #[test]
    fn are_there_for_values_of_no_bytes_too() {
        for len in 0..9 {
            for room in [0, 4, 8, 12] {
                let data = vec![1; len];
                let one = One { at: 0, len: 0, room, data: data.clone(), tail: 1 };
                assert!(written(&one).is_some(), "{:?}", one.to_vec());
                let count = Auto::new;
                let entries =
                    || vec![Entry { at: 0, len: 0, room }, Entry { at: 0, len: 0, room: 0 }];
                let bodies = || vec![data.clone(), vec![2; 8 - len]];
                let table = Table { count: count(), entries: entries(), bodies: bodies() };
                // The room of an entry is kept, so a body that is longer is refused.
                assert_eq!(
                    written(&table).is_some(),
                    len == 8 && room >= 8,
                    "{:?}",
                    table.to_vec()
                );
                let constant = Constant { count: count(), entries: entries(), bodies: bodies() };
                assert!(written(&constant).is_some(), "{:?}", constant.to_vec());
            }
        }
    }
}
