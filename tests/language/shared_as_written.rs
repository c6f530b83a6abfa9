//! Values that share a place do so by what is written of them, not by what they hold.

use binfmt_runtime::BinFormat;

use super::laws::hold;

/// Fields that may share a place, of which each is written in its own way.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Ways {
    counted_at: u8,
    ended_at: u8,
    marked_at: u8,
    padded_at: u8,
    next_at: u8,
    #[bin(at = counted_at, prefix = u8, shared)]
    counted: Vec<u8>,
    #[bin(at = ended_at, nul, shared)]
    ended: Vec<u8>,
    #[bin(at = marked_at, magic = b"\x02", len = 2, shared)]
    marked: Vec<u8>,
    #[bin(at = padded_at, prefix = u8, align_after = 8, shared)]
    padded: Vec<u8>,
    #[bin(at = next_at)]
    next: u8,
}

#[test]
fn values_share_a_place_only_if_they_are_written_as_the_same_bytes() {
    let texts: [&[u8]; 3] = [b"ab", b"cd", b"\x02ab"];
    for case in 0..81 {
        let text = |digit: u32| texts[case / 3_usize.pow(digit) % 3].to_vec();
        let marked = text(2)[..2].to_vec();
        let value = Ways {
            counted_at: 0,
            ended_at: 0,
            marked_at: 0,
            padded_at: 0,
            next_at: 0,
            counted: text(0),
            ended: text(1),
            marked,
            padded: text(3),
            next: 9,
        };
        let bytes = value.to_vec().unwrap();
        let read = Ways::parse(&bytes).unwrap();
        let own = |one: &Ways| {
            (
                one.counted.clone(),
                one.ended.clone(),
                one.marked.clone(),
                one.padded.clone(),
                one.next,
            )
        };
        assert_eq!(own(&read), own(&value), "{bytes:?}");
        // Of two that share their bytes, one is padded.
        assert_eq!(read.counted_at == read.padded_at, value.counted == value.padded);
        hold::<Ways>(&bytes, ());
        assert!(Ways::validate(&bytes).is_ok(), "{}", Ways::validate(&bytes));
    }
}

/// Bytes that a module writes otherwise than the value holds them, and bytes as they are.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct ByHand {
    flipped_at: u8,
    plain_at: u8,
    #[bin(at = flipped_at, len = 2, with = flipped, shared)]
    flipped: Vec<u8>,
    #[bin(at = plain_at, len = 2, shared)]
    plain: Vec<u8>,
}

mod flipped {
    use binfmt_runtime::{Cursor, Fault, Writer};

    pub(super) fn read(cur: &mut Cursor<'_>) -> Result<Vec<u8>, Fault> {
        let at = cur.pos();
        Ok(cur.take(2).ok_or(Fault::at(at))?.iter().map(|byte| !byte).collect())
    }

    pub(super) fn write(value: &[u8], out: &mut Writer<'_>) -> Result<(), Fault> {
        let bytes: Vec<u8> = value.iter().map(|byte| !byte).collect();
        out.put(&bytes)
    }
}

#[test]
fn what_a_module_writes_is_compared_as_it_is_written() {
    let (same, other) = (b"ab".to_vec(), vec![!b'a', !b'b']);
    for (plain, shares) in [(same.clone(), false), (other, true)] {
        let value = ByHand { flipped_at: 0, plain_at: 0, flipped: same.clone(), plain };
        let bytes = value.to_vec().unwrap();
        let read = ByHand::parse(&bytes).unwrap();
        assert_eq!((&read.flipped, &read.plain), (&value.flipped, &value.plain), "{bytes:?}");
        assert_eq!(read.flipped_at == read.plain_at, shares);
        hold::<ByHand>(&bytes, ());
    }
}

/// Texts in rooms of any width.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Rooms {
    #[bin(prefix = u8)]
    rooms: Vec<Room>,
    #[bin(for_each = rooms, at = it.at, len = it.len, trim = 0, shared)]
    texts: Vec<Vec<u8>>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Room {
    at: u8,
    len: u8,
}

#[test]
fn the_fill_of_a_room_is_part_of_what_is_written() {
    for lens in [[1, 1], [1, 2], [2, 1], [3, 2]] {
        for text in [&b""[..], b"a"] {
            let rooms = lens.map(|len| Room { at: 5, len }).to_vec();
            let value = Rooms { rooms, texts: vec![text.to_vec(); 2] };
            let bytes = value.to_vec().unwrap();
            assert!(Rooms::validate(&bytes).is_ok(), "{lens:?} {bytes:?}");
            let read = Rooms::parse(&bytes).unwrap();
            assert_eq!(read.texts, value.texts);
            assert_eq!(read.rooms[0].at == read.rooms[1].at, lens[0] == lens[1]);
            hold::<Rooms>(bytes.leak(), ());
        }
    }
}

/// The NUL behind a text is there where its room is larger.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Texts {
    #[bin(prefix = u8)]
    rooms: Vec<Room>,
    #[bin(for_each = rooms, at = it.at, len = it.len, nul = optional, align_after = 2, shared)]
    texts: Vec<Vec<u8>>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct TwoTexts {
    first_at: u8,
    second_at: u8,
    last_at: u8,
    #[bin(at = first_at, len = 3, nul = optional, shared)]
    first: Vec<u8>,
    #[bin(at = second_at, len = 5, nul = optional, shared)]
    second: Vec<u8>,
    #[bin(at = last_at, prefix = u8)]
    last: Vec<u8>,
}

#[test]
fn the_nul_of_a_room_is_part_of_what_is_written() {
    for lens in [[0, 3, 0], [2, 3, 3], [4, 4, 2], [3, 3, 3]] {
        for at in [7, 40] {
            let rooms = lens.map(|len| Room { at, len }).to_vec();
            let texts = [b"ab", b"ab", b"cd"].map(|text| text.to_vec()).to_vec();
            let value = Texts { rooms, texts };
            for bytes in [value.to_vec().unwrap(), value.clone().compact().to_vec().unwrap()] {
                assert_eq!(Texts::parse(&bytes).unwrap().texts, value.texts);
                assert!(Texts::validate(&bytes).is_ok(), "{lens:?} {bytes:?}");
            }
        }
    }
    for (first_at, second_at) in [(3, 3), (0, 0), (3, 6)] {
        let (first, second, last) = (vec![7; 3], vec![7; 3], vec![9, 9]);
        let value = TwoTexts { first_at, second_at, last_at: 0, first, second, last };
        let read = TwoTexts::parse(value.to_vec().unwrap().leak()).unwrap();
        assert_eq!(
            (&read.first, &read.second, &read.last),
            (&value.first, &value.second, &value.last)
        );
    }
}

/// Values that share a place, of which each has its own padding, aligned behind it.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Padded {
    #[bin(prefix = u8)]
    before: Vec<u8>,
    #[bin(prefix = u8)]
    rows: Vec<PaddedRow>,
    next_at: u8,
    #[bin(for_each = rows, at = it.at, prefix = u8, pad_after = padding(it), align_after = 4, shared)]
    values: Vec<Vec<u8>>,
    #[bin(at = next_at, prefix = u8)]
    next: Vec<u8>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct PaddedRow {
    at: u8,
    padding: u8,
}

/// Another one at every place.
fn padding(row: &PaddedRow) -> u8 {
    row.at.wrapping_mul(row.padding) % 5
}

#[test]
fn what_follows_values_at_one_place_lies_behind_the_padding_of_each() {
    for case in 0_usize..7 * 7 * 4 * 5 * 3 {
        let row = |padding: usize| PaddedRow {
            at: [0, 9, 10, 20, 255][case / 196 % 5],
            padding: padding.try_into().unwrap(),
        };
        let value = Padded {
            before: vec![1; case / 49 % 4],
            rows: vec![row(case % 7), row(case / 7 % 7)],
            next_at: [0, 22, 35][case / 980],
            values: vec![b"ab".to_vec(); 2],
            next: vec![9],
        };
        let bytes: &[u8] = match value.to_vec() {
            Ok(bytes) => bytes.leak(),
            // Behind the last place, nothing is left.
            Err(_) if value.rows[0].at == 255 => continue,
            Err(error) => panic!("{error}"),
        };
        assert!(Padded::validate(bytes).is_ok(), "{bytes:?}: {}", Padded::validate(bytes));
        let read = Padded::parse(bytes).unwrap();
        assert_eq!(read.rows[0].at, read.rows[1].at, "{bytes:?}");
        assert_eq!((&read.values, &read.next), (&value.values, &value.next));
        hold::<Padded>(bytes, ());
        binfmt_runtime::laws::written_is_read(&read, ()).unwrap().unwrap();
    }
}
