//! Values at offsets among others: what has been written stays where it is when it has been read, whatever moves
//! when it is new.

use std::fmt::Debug;

use binfmt_runtime::{Auto, BinFormat, Leb128, laws};

use super::laws::hold;

/// Few numbers that fit together in many ways, drawn one behind the other.
struct Draw(u64);

impl Draw {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % end
    }

    fn byte(&mut self) -> u8 {
        u8::try_from(self.below(3)).unwrap() * u8::try_from(self.below(8)).unwrap()
    }

    fn bytes(&mut self) -> Vec<u8> {
        (0..self.below(4)).map(|_| self.byte()).collect()
    }
}

/// A new value is written as it is written again, and so is a file of small numbers, or a validator says more.
fn stays<T>(make: impl Fn(&mut Draw) -> T)
where
    T: BinFormat<'static, Args = ()> + Clone + Debug + PartialEq,
{
    let (mut draw, mut written) = (Draw(7), 0);
    for _ in 0..400 {
        let value = make(&mut draw);
        if laws::written_is_read(&value, ()).unwrap().is_ok() {
            written += 1;
        }
        let file: Vec<u8> = (0..10 + draw.below(20)).map(|_| draw.byte()).collect();
        hold::<T>(file.leak(), ());
    }
    assert!(written > 300, "{written} are written");
}

/// A declaration, and how one is made.
macro_rules! among {
    ($($test:ident, $name:ident { $($(#[$word:meta])* $field:ident: $ty:ty = $value:expr,)* })*) => { $(
        #[derive(BinFormat, Clone, Debug, PartialEq)]
        #[bin(little)]
        struct $name {
            $($(#[$word])* $field: $ty,)*
        }

        #[test]
        fn $test() {
            stays(|draw| $name { $($field: { let make: fn(&mut Draw) -> $ty = $value; make(draw) },)* });
        }
    )* };
}

among! {
    // What counts from a value without bytes comes behind all others, which lie behind that, too.
    behind_what_has_no_bytes, Empty {
        at: u16 = |draw| draw.byte().into(),
        len: u8 = |_| 0,
        near: u8 = Draw::byte,
        far: Auto<Leb128<u16>> = |_| Auto::new(),
        alone: Auto<u16> = |_| Auto::new(),
        #[bin(prefix = u8)]
        places: Vec<u8> = |_| vec![0, 3, 0],
        #[bin(at = at, len = len)]
        none: Vec<u8> = |_| Vec::new(),
        #[bin(at = at + near)]
        first: u8 = Draw::byte,
        #[bin(at = at + far, prefix = u8)]
        second: Vec<u8> = Draw::bytes,
        #[bin(at = alone)]
        third: u16 = |draw| draw.byte().into(),
        #[bin(for_each = places, at = it, prefix = u8)]
        others: Vec<Vec<u8>> = |draw| vec![draw.bytes(), draw.bytes(), draw.bytes()],
    }
    // The place of what is absent is a number all the same, or `null`.
    behind_what_is_absent, Absent {
        flags: u8 = Draw::byte,
        at: u16 = |draw| draw.byte().into(),
        other: u8 = Draw::byte,
        len: u8 = Draw::byte,
        far: Auto<u8> = |_| Auto::new(),
        farther: Auto<u8> = |_| Auto::new(),
        #[bin(null = 0, at = at, len = len)]
        first: Option<Vec<u8>> = |draw| (draw.below(2) > 0).then(|| draw.bytes()),
        #[bin(at = at + far, prefix = u8)]
        second: Vec<u8> = Draw::bytes,
        #[bin(at = other, if = flags & 1 == 1)]
        third: Option<u8> = |_| None,
        #[bin(at = other + farther)]
        fourth: u8 = Draw::byte,
    }
    // What nothing places shares the place of its equal, also in a file that has them apart.
    equals_that_nothing_places, Equal {
        first_at: Auto<u8> = |_| Auto::new(),
        second_at: Auto<u8> = |_| Auto::new(),
        third_at: u8 = Draw::byte,
        len: u8 = Draw::byte,
        #[bin(at = first_at, prefix = u8, shared)]
        first: Vec<u8> = Draw::bytes,
        #[bin(at = second_at, len = len, trim = 0, shared, align_after = 2)]
        second: Vec<u8> = |_| Vec::new(),
        #[bin(at = third_at, prefix = u8, shared)]
        third: Vec<u8> = Draw::bytes,
    }
    // Equal values lie apart where their places are aligned otherwise, or the first of them would decide where both lie.
    equals_that_are_aligned_otherwise, Aligned {
        first_at: Auto<u8> = |_| Auto::new(),
        second_at: Auto<u8> = |_| Auto::new(),
        third_at: u8 = Draw::byte,
        near: u8 = Draw::byte,
        len: u8 = Draw::byte,
        third_len: Auto<u8> = |_| Auto::new(),
        #[bin(at = first_at, prefix = u8, shared)]
        first: Vec<u8> = Draw::bytes,
        #[bin(at = third_at, len = third_len, align_before = 2)]
        third: Vec<u8> = Draw::bytes,
        #[bin(at = third_at + near)]
        fourth: u8 = Draw::byte,
        #[bin(at = second_at, len = len, trim = 0, shared, align_after = 2)]
        second: Vec<u8> = |_| Vec::new(),
    }
    // Stored values among those of a section whose places count from its end, or from nothing that is kept.
    from_both_ends, Ends {
        size: Auto<u8> = |_| Auto::new(),
        at: u8 = Draw::byte,
        back: Auto<u8> = |_| Auto::new(),
        far: Auto<u16> = |_| Auto::new(),
        len: Auto<u8> = |_| Auto::new(),
        room: u8 = Draw::byte,
        #[bin(section, len = size)]
        data: Vec<u8> = Draw::bytes,
        #[bin(at = at, len = len, place = data, base = data)]
        first: Vec<u8> = Draw::bytes,
        #[bin(at = len(data) - back, len = room, trim = 0, place = data, base = data, shared)]
        second: Vec<u8> = |_| Vec::new(),
        #[bin(at = at + far, place = data, base = data)]
        third: u16 = |draw| draw.byte().into(),
    }
    // In a section that grows downwards.
    downwards, Down {
        size: u8 = |_| 20,
        at: u8 = Draw::byte,
        open: Auto<Leb128<u16>> = |_| Auto::new(),
        back: u8 = Draw::byte,
        #[bin(section, len = size, grow = down)]
        data: Vec<u8> = |_| vec![0; 20],
        #[bin(at = at, place = data, base = data, prefix = u8)]
        first: Vec<u8> = Draw::bytes,
        #[bin(at = len(data) - back, place = data, base = data)]
        second: u8 = Draw::byte,
        #[bin(at = open, prefix = u8, place = data, base = data)]
        third: Vec<u8> = Draw::bytes,
    }
    // Tables and single values that count from one that moves.
    tables_beside, Tables {
        at: u8 = Draw::byte,
        len: u8 = Draw::byte,
        far: Auto<u16> = |_| Auto::new(),
        room: u8 = |_| 5,
        #[bin(prefix = u8)]
        places: Vec<u8> = |draw| vec![draw.byte(), draw.byte()],
        #[bin(null = 0, at = at, len = len)]
        first: Option<Vec<u8>> = |draw| (draw.below(2) > 0).then(|| draw.bytes()),
        #[bin(at = at + far, len = room, trim = 0, align_before = 4)]
        second: Vec<u8> = |_| vec![2, 120],
        #[bin(for_each = places, at = at + it, prefix = u8)]
        others: Vec<Vec<u8>> = |draw| vec![draw.bytes(), draw.bytes()],
    }
}

/// A section that grows downwards, where a value without an offset lies behind one that has one.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Crowded {
    at: Auto<u8>,
    other: u8,
    #[bin(section, len = 5, grow = down)]
    data: Vec<u8>,
    #[bin(at = at, place = data, len = 3)]
    first: Vec<u8>,
    #[bin(at = other, place = data, len = 2, align_before = 2)]
    second: Vec<u8>,
}

#[test]
fn what_has_no_offset_lies_between_others_where_nothing_is_in_front_of_them() {
    let file = b"\x04\x02\x02\x02\x01\x01\x01";
    assert_eq!(Crowded::validate(file).findings(), []);
    assert_eq!(Crowded::parse(file).unwrap().to_vec().unwrap(), file);
    hold::<Crowded>(file, ());
}

/// Two values without an offset among two that have one.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Between {
    one_at: Auto<u8>,
    other_at: Auto<u8>,
    third_at: u8,
    fourth_at: u8,
    #[bin(section, len = 8, grow = down)]
    data: Vec<u8>,
    #[bin(at = one_at, place = data, base = data)]
    one: u16,
    #[bin(at = other_at, place = data, base = data)]
    other: u8,
    #[bin(at = third_at, place = data, base = data)]
    third: u8,
    #[bin(at = fourth_at, place = data, base = data)]
    fourth: u16,
}

#[test]
fn several_lie_between_others() {
    for (third_at, fourth_at) in (0..8).flat_map(|third| (0..7).map(move |fourth| (third, fourth)))
    {
        for (one_at, other_at) in [(0, 2), (6, 5), (3, 7), (1, 6)] {
            let file = [one_at, other_at, third_at, fourth_at, 1, 2, 3, 4, 5, 6, 7, 8];
            hold::<Between>(file.to_vec().leak(), ());
        }
        let (one_at, other_at) = (Auto::new(), Auto::new());
        let value = Between {
            one_at,
            other_at,
            third_at,
            fourth_at,
            data: vec![0; 8],
            one: 0x0101,
            other: 2,
            third: 3,
            fourth: 0x0404,
        };
        laws::written_is_read(&value, ()).unwrap().unwrap();
    }
}

/// A small value and a large one without an offset, and one that is aligned anew.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Sizes {
    small_at: Auto<u8>,
    large_at: Auto<u8>,
    stored_at: u8,
    #[bin(section, len = 6, grow = down)]
    data: Vec<u8>,
    #[bin(at = small_at, place = data, base = data)]
    small: u8,
    #[bin(at = large_at, place = data, base = data)]
    large: [u8; 3],
    #[bin(at = stored_at, place = data, base = data, align_before = 2)]
    stored: [u8; 2],
}

#[test]
fn the_largest_value_has_most_room_to_choose_from() {
    for places in 0..6_u32.pow(3) {
        let digit = |of: u32| u8::try_from(places / of % 6).unwrap();
        let file = [digit(36), digit(6), digit(1), 1, 2, 3, 4, 5, 6];
        hold::<Sizes>(file.to_vec().leak(), ());
    }
}

/// Values that fit between others in one way alone, which is not the one that is tried.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Packed {
    five_at: Auto<u8>,
    four_at: Auto<u8>,
    three_at: Auto<u8>,
    stored_at: u8,
    last: u8,
    #[bin(section, len = 13, grow = down)]
    data: Vec<u8>,
    #[bin(at = five_at, place = data, base = data)]
    five: [u8; 5],
    #[bin(at = four_at, place = data, base = data)]
    four: [u8; 4],
    #[bin(at = three_at, place = data, base = data)]
    three: [u8; 3],
    #[bin(at = stored_at, place = data, base = data, align_before = 8)]
    stored: u8,
}

#[test]
fn where_a_writer_finds_no_place_a_validator_says_so() {
    let file = b"\0\x06\x0a\x05.55555s4444333";
    let told: Vec<String> =
        Packed::validate(file).findings().iter().map(ToString::to_string).collect();
    let wanted = "five at 0x5..0xa: where the field lies is not kept, and the writer finds no place for it beside those that are; found 5 [canonical]";
    assert_eq!(told, [wanted]);
    assert_eq!(Packed::parse(file).unwrap().to_vec().unwrap_err().finding().code, "space");
}
