//! Items whose arguments follow from the item before.

use binfmt_runtime::{Auto, BinFormat, LinkedSeq, laws};

use super::{findings, refused, same, stopped};

/// A message of which the first byte may be that of the one before.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(args(running: u8, number: u16))]
#[bin(computed(kind: u8 = if head > 127 { head } else { running }))]
#[bin(check(number < 4, "{number} is too much"))]
struct Message {
    head: u8,
    #[bin(if = head > 127, check(running != 1, "never"))]
    data: Option<u8>,
}

impl Message {
    fn next(&self) -> u8 {
        if self.head > 127 { self.head } else { 128 }
    }
}

fn message(head: u8, data: Option<u8>) -> Message {
    Message { head, data }
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Messages {
    first: u8,
    count: Auto<u8>,
    #[bin(count = count, args(running = previous.head or first, number = 0))]
    counted: Vec<Message>,
    #[bin(len = 3, args(running = previous.next() or 200, number = 0))]
    sized: Vec<Message>,
    #[bin(until = last.head == 0, args(running = previous.head + 2 or 5, number = 3))]
    ended: Vec<Message>,
    #[bin(until = b"END", args(running = previous.head or 0, number = first))]
    marked: Vec<Message>,
    #[bin(until = remaining < 2, args(running = previous.head or 0, number = 0))]
    left: Vec<Message>,
}

fn messages() -> Messages {
    Messages {
        first: 3,
        count: Auto::new(),
        counted: vec![message(0x90, Some(1)), message(5, None)],
        sized: vec![message(6, None), message(0x80, Some(7))],
        ended: vec![message(9, None), message(0, None)],
        marked: vec![message(0xff, Some(b'E'))],
        left: vec![message(0x80, Some(0))],
    }
}

const BYTES: &[u8] = b"\x03\x02\x90\x01\x05\x06\x80\x07\x09\0\xffEEND\x80\0";

#[test]
fn the_item_before_tells_what_the_next_one_is() {
    same(&messages(), BYTES);
    same(
        &Messages { counted: vec![], marked: vec![], left: vec![], ..messages() },
        b"\x03\0\x06\x80\x07\x09\0END",
    );
    assert_eq!(stopped::<Messages>(b"\x03\x02\x90\x01"), "counted[1].head end");
    assert_eq!(stopped::<Messages>(b"\x03\0\x06\x80\x07\x09\0abc"), "marked until");
}

#[test]
fn the_first_item_is_given_a_value_of_its_own() {
    // Nothing is before the first item, and 1 is refused.
    let value = Messages { first: 1, counted: vec![message(0x90, Some(1))], ..messages() };
    assert_eq!(refused(&value), "counted[0].data Message.data");
    assert_eq!(stopped::<Messages>(b"\x01\x01\x90\x01"), "counted[0].data Message.data");
    let second = Messages { counted: vec![message(1, None), message(0x90, Some(1))], ..messages() };
    assert_eq!(refused(&second), "counted[1].data Message.data");
    assert_eq!(
        findings::<Messages>(b"\x03\x02\x01\x90\x01\x06\x80\x07\x09\0END"),
        ["error counted[1].data Message.data"]
    );
}

#[test]
fn what_cannot_be_computed_stops_both() {
    let ended = vec![message(0xff, Some(1)), message(0, None)];
    // 255 and two more are no `u8`.
    assert_eq!(refused(&Messages { ended, ..messages() }), "ended[1] size");
    assert_eq!(stopped::<Messages>(b"\x03\0\x06\x80\x07\xff\x01\0END"), "ended size");
}

#[test]
fn items_end_where_they_would_without_arguments() {
    let ended = vec![message(0, None), message(0, None)];
    assert_eq!(refused(&Messages { ended, ..messages() }), "ended[0] until");
    let left = vec![message(5, None)];
    assert_eq!(refused(&Messages { left, ..messages() }), "left[0] until");
}

/// A value whose computed number the next one is given; without it nothing can be given.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(computed(next: u8 = number - 1, "what the next one counts down from"))]
#[bin(args(from: u8), check(number <= from, "{number} is above {from}"))]
struct Step {
    number: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Steps {
    #[bin(count = 3, args(from = previous.next() or 9))]
    steps: Vec<Step>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Slots {
    #[bin(until_end, args(hidden = previous.hides() or false, is_open = previous.odd == 1 or true))]
    slots: Vec<Slot>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(args(hidden: bool, is_open: bool), computed(hides: bool = wide.is_some()))]
struct Slot {
    odd: u8,
    #[bin(if = !hidden && is_open)]
    wide: Option<u8>,
}

#[test]
fn a_condition_on_the_item_before_is_passed() {
    let slots = [(1, Some(7)), (1, None), (1, Some(8)), (0, None), (0, None)];
    let slots = slots.map(|(odd, wide)| Slot { odd, wide }).to_vec();
    same(&Slots { slots }, b"\x01\x07\x01\x01\x08\0\0");
}

#[test]
fn a_computed_value_of_the_item_before_is_passed() {
    let steps = |numbers: [u8; 3]| Steps { steps: numbers.map(|number| Step { number }).to_vec() };
    same(&steps([9, 8, 3]), b"\x09\x08\x03");
    assert_eq!(stopped::<Steps>(b"\x09\x09\x03"), "steps[1].number Step");
    assert_eq!(refused(&steps([9, 8, 8])), "steps[2] Step");
    // Nothing is below 0, so there is nothing to pass; the value that has none is told first.
    assert_eq!(stopped::<Steps>(b"\x09\0\0"), "steps[1].next Step.next");
}

/// Arguments of the first item that cannot be computed.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Less<'a> {
    start: u8,
    count: Auto<u8>,
    #[bin(count = count, args(number = previous.0 or start - 1))]
    list: LinkedSeq<'a, Item>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(args(number: u8))]
struct Item(#[bin(check(_0 > number, "too small"))] u8);

#[test]
fn what_no_reader_can_compute_is_refused_also_without_items() {
    let less = |start| Less { start, count: Auto::new(), list: LinkedSeq::from(&[][..]) };
    same(&less(1), &[1, 0]);
    assert_eq!(stopped::<Less<'_>>(&[0, 0]), "list size");
    assert_eq!(refused(&less(0)), "list size");
}

/// An option of CoAP: its number is the sum of the deltas up to here.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(args(before: u16), computed(number: u16 = before + delta))]
#[bin(check(number < 300, "there is no option {number}"))]
struct Numbered {
    delta: u8,
    /// There where the number is even.
    #[bin(if = number & 1 == 0)]
    value: Option<u8>,
}

/// A point whose place follows from all before it.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(args(x: u32, scale: u8, y: i32), check(x + dx < 1000, "{x} + {dx}"), check(y + dy > -9, "{y} + {dy}"))]
struct Point {
    #[bin(if = scale > 1)]
    fine: Option<u8>,
    dx: u8,
    dy: i8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Sums<'a> {
    base: u16,
    count: Auto<u8>,
    #[bin(count = count, args(before = previous.before + previous.delta or base))]
    options: Vec<Numbered>,
    #[bin(len = 6, args(x = previous.x + previous.dx or 7, scale = 2, y = previous.y + previous.dy or 0))]
    points: Vec<Point>,
    #[bin(len = 4, args(x = previous.x + previous.dx or 7, scale = 1, y = previous.y or 0))]
    lazy: LinkedSeq<'a, Point>,
    #[bin(until_end, args(before = previous.before + previous.delta or base))]
    rest: LinkedSeq<'a, Numbered>,
}

#[test]
fn what_the_item_before_was_given_is_passed_on() {
    let numbered = |delta: u8, value: Option<u8>| Numbered { delta, value };
    let point = |fine: Option<u8>, dx: u8, dy: i8| Point { fine, dx, dy };
    let lazy = vec![point(None, 5, 0), point(None, 6, 1)];
    let rest: &[Numbered] = vec![numbered(4, Some(1)), numbered(1, None)].leak();
    let sums = Sums {
        base: 10,
        count: Auto::new(),
        options: vec![numbered(1, None), numbered(200, None), numbered(3, Some(9))],
        points: vec![point(Some(1), 4, -1), point(Some(2), 2, -7)],
        lazy: LinkedSeq::from(&lazy.leak()[..]),
        rest: LinkedSeq::from(rest),
    };
    let bytes: &[u8] = &[10, 0, 3, 1, 200, 3, 9, 1, 4, 255, 2, 2, 249, 5, 0, 6, 1, 4, 1, 1];
    same(&sums, bytes);
    laws::hold::<Sums<'_>>(bytes, ()).unwrap();
    // The third option is number 214, and a fourth would be above 300.
    let far = Sums {
        options: vec![numbered(1, None), numbered(255, Some(1)), numbered(100, None)],
        ..sums.clone()
    };
    assert_eq!(refused(&far), "options[2] Numbered");
    let low = Sums { points: vec![point(Some(1), 4, -5), point(Some(2), 2, -4)], ..sums.clone() };
    assert_eq!(refused(&low), "points[1] Point.2");
    // Whether an item has a value follows from all before it.
    let odd = Sums { rest: LinkedSeq::from(&rest[1..]), ..sums };
    assert_eq!(odd.to_vec().unwrap().last(), Some(&1));
    for at in 0..bytes.len() {
        for value in 0..=255 {
            let mut bytes = bytes.to_vec();
            bytes[at] = value;
            laws::hold::<Sums<'_>>(bytes.leak(), ()).unwrap();
        }
        laws::hold::<Sums<'_>>(&bytes[..at], ()).unwrap();
    }
}
