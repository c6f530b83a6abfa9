//! Lazy sequences whose items are given what the item before says.

use binfmt_runtime::{Auto, BinFormat, Class, Crc32, Lazy, LinkedSeq, Seq, Wire};

use super::{findings, kept, place, refused, same, stopped};

/// An event that may leave out its status where it is that of the one before.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(args(running: u8, most: u16), computed(status: u8 = if head > 127 { head } else { running }))]
#[bin(check(head <= most, "{head} is above {most}"))]
struct Event {
    head: u8,
    #[bin(if = head > 127)]
    data: Option<u8>,
    #[bin(if = status == 0xf0)]
    long: Option<u8>,
}

fn event(head: u8, data: Option<u8>, long: Option<u8>) -> Event {
    Event { head, data, long }
}

impl Event {
    fn next(&self) -> u8 {
        if self.data.is_some() { self.head } else { 0xf0 }
    }
}

const EVENTS: [(u8, Option<u8>, Option<u8>); 3] =
    [(0x90, Some(1), None), (5, None, None), (6, None, Some(7))];

fn events() -> Vec<Event> {
    EVENTS.map(|(head, data, long)| event(head, data, long)).to_vec()
}

fn leaked(events: Vec<Event>) -> LinkedSeq<'static, Event> {
    LinkedSeq::from(events.leak() as &[Event])
}

#[derive(BinFormat, Debug, PartialEq)]
struct Counted<'a> {
    count: Auto<u8>,
    most: u8,
    #[bin(count = count, args(running = previous.next() or most, most))]
    events: LinkedSeq<'a, Event>,
    last: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Sized<'a> {
    len: Auto<u8>,
    #[bin(len = len, args(running = previous.next() or 0, most = 255))]
    events: LinkedSeq<'a, Event>,
    last: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Prefixed<'a> {
    #[bin(prefix = u8, args(running = previous.next() or 0, most = 255))]
    events: LinkedSeq<'a, Event>,
    last: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Open<'a> {
    #[bin(until_end, args(running = previous.next() or 0, most = 255))]
    #[bin(check(count(events) != 7, "seven events"))]
    events: LinkedSeq<'a, Event>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Short<'a> {
    #[bin(prefix = u8)]
    inner: Left<'a>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Left<'a> {
    #[bin(until = remaining < 2, args(running = previous.next() or 0, most = 255))]
    #[bin(level(leftover = warning))]
    events: LinkedSeq<'a, Event>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Located<'a> {
    at: Auto<u8>,
    len: Auto<u8>,
    #[bin(at = at, len = len, args(running = previous.next() or 0, most = 255))]
    events: LinkedSeq<'a, Event>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Perhaps<'a> {
    kind: u8,
    #[bin(if = kind == 1, prefix = u8, args(running = previous.next() or 0, most = 255))]
    events: Option<LinkedSeq<'a, Event>>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Boxed<'a> {
    #[bin(prefix = u8)]
    open: Lazy<'a, Open<'a>>,
}

#[test]
fn the_item_before_tells_what_the_next_one_is() {
    let most = 0x90;
    let counted = Counted { count: Auto::new(), most, events: leaked(events()), last: 9 };
    same(&counted, b"\x03\x90\x90\x01\x05\x06\x07\x09");
    let sized = Sized { len: Auto::new(), events: leaked(events()), last: 9 };
    same(&sized, b"\x05\x90\x01\x05\x06\x07\x09");
    same(&Prefixed { events: leaked(events()), last: 9 }, b"\x03\x90\x01\x05\x06\x07\x09");
    same(&Open { events: leaked(events()) }, b"\x90\x01\x05\x06\x07");
    same(
        &Located { at: Auto::new(), len: Auto::new(), events: leaked(events()) },
        b"\x02\x05\x90\x01\x05\x06\x07",
    );
    same(&Perhaps { kind: 1, events: Some(leaked(events())) }, b"\x01\x03\x90\x01\x05\x06\x07");
    same(&Perhaps { kind: 0, events: None }, b"\0");
    let open = Open { events: leaked(events()) };
    let open: &'static Open<'static> = Box::leak(Box::new(open));
    same(&Boxed { open: Lazy::from(open) }, b"\x05\x90\x01\x05\x06\x07");
}

#[test]
fn bytes_behind_the_last_item_are_kept() {
    let value = Short::parse(b"\x06\x90\x01\x05\x06\x07\x01").unwrap();
    kept(&value, b"\x06\x90\x01\x05\x06\x07\x01");
    assert_eq!(value.inner.events.slack(), b"\x01");
    let inner = Left { events: leaked(events()) };
    same(&Short { inner }, b"\x05\x90\x01\x05\x06\x07");
    let inner = Left { events: leaked(vec![event(5, None, None)]) };
    assert_eq!(refused(&Short { inner }), "inner.events[0] until");
    assert_eq!(
        findings::<Short<'_>>(b"\x06\x90\x01\x05\x06\x07\x01"),
        ["warning inner.events trailing"]
    );
}

#[test]
fn items_are_found_one_after_the_other() {
    let value = Open::parse(b"\x90\x01\x05\x06\x07").unwrap();
    assert_eq!(value.events.count(), None);
    assert_eq!(value.events.walk_count(), 3);
    assert_eq!(value.events.get(2), Some(Ok(event(6, None, Some(7)))));
    assert_eq!(value.events.get(3), None);
    let mut items = value.events.iter();
    let offsets: Vec<_> = std::iter::from_fn(|| {
        let offset = items.offset();
        items.next().map(|_| offset)
    })
    .collect();
    assert_eq!(offsets, [Some(0), Some(2), Some(3)]);
    let read: Vec<_> = (&value.events).into_iter().map(Result::unwrap).collect();
    assert_eq!(read, events());
    // Items in memory say nothing of each other until they are written.
    let memory = leaked(events());
    assert_eq!((memory.count(), memory.walk_count(), memory.iter().offset()), (Some(3), 3, None));
    assert_eq!(memory, value.events);
    assert_ne!(memory, LinkedSeq::default());
}

#[test]
fn a_wrong_item_names_itself_and_ends_the_items() {
    // The second one is above 5, which is passed to all items.
    let bytes = b"\x03\x05\x01\x06\x01\x09";
    assert_eq!(stopped::<Counted<'_>>(bytes), "events[1].head Event");
    let value = Open::parse(b"\x90\x01\x05\x90").unwrap();
    let items: Vec<_> = value.events.iter().collect();
    let [Ok(_), Ok(_), Err(error)] = items.as_slice() else { panic!("{items:?}") };
    assert_eq!((place(error), error.class()), ("data end".to_owned(), Class::Incomplete));
    assert_eq!(findings::<Open<'_>>(b"\x90\x01\x05\x90"), ["error events[2].data end"]);
    assert_eq!(refused(&value), "events[2].data end");
    assert_eq!(value.events.walk_count(), 2);
    // Eleven bytes of seven items; without what one says of the next they would be eleven items.
    let bytes = b"\x90\x01\x05\x06\x07\x06\x07\x06\x07\x90\x01\x05";
    assert_eq!(stopped::<Open<'_>>(bytes), "events Open.events");
}

/// A number that the next one may not reach.
#[derive(BinFormat, Debug, PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
#[bin(args(below: u8), check(number < below, "{number} is not below {below}"))]
struct Step {
    number: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Ahead<'a> {
    #[bin(until_end, args(below = previous.number - 1 or 100))]
    steps: LinkedSeq<'a, Step>,
}

#[test]
fn what_cannot_be_computed_stops_at_the_next_item() {
    let bytes = b"\x09\x05\0\x07";
    let value = Ahead::parse(bytes).unwrap();
    let items: Vec<_> = value.steps.iter().collect();
    let [Ok(_), Ok(_), Ok(_), Err(error)] = items.as_slice() else { panic!("{items:?}") };
    assert_eq!((place(error), error.finding().start), (" size".to_owned(), 3));
    assert_eq!(findings::<Ahead<'_>>(bytes), ["error steps size"]);
    assert_eq!(refused(&value), "steps[3] size");
    // Nothing asks what follows from the last one.
    let steps = [9, 5, 0].map(|number| Step { number }).to_vec();
    same(&Ahead { steps: LinkedSeq::from(steps.leak() as &[Step]) }, b"\x09\x05\0");
}

/// What one item says of the next one holds in rules over all items, too.
#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Compared<'a> {
    #[bin(prefix = u8, args(running = previous.next() or 0, most = 255))]
    #[bin(unique = head, sorted_by = head)]
    #[bin(level(unique = warning, sorted_by = warning))]
    lazy: LinkedSeq<'a, Event>,
    most: u16,
    #[bin(prefix = u8, args(running = previous.next() or most, most))]
    #[bin(unique = head, sorted_by = head)]
    #[bin(level(unique = warning, sorted_by = warning))]
    eager: Vec<Event>,
}

#[test]
fn rules_over_items_read_them_as_they_are() {
    let bytes = b"\x04\x90\x01\x05\x06\x07\x05\x08\xff\0\x04\x90\x01\x05\x06\x07\x05\x08";
    let repeated = |field| {
        let sorted = |index| format!("warning {field}[{index}] Compared.{field}.sorted_by");
        [sorted(1), format!("warning {field}[3] Compared.{field}.unique"), sorted(3)]
    };
    let all = [repeated("lazy"), repeated("eager")].concat();
    assert_eq!(findings::<Compared<'_>>(bytes), all);
}

#[derive(BinFormat, Debug, PartialEq)]
struct Strict<'a> {
    #[bin(until_end, args(running = previous.next() or 0, most = 255), unique = head)]
    #[bin(sorted_by = data)]
    events: LinkedSeq<'a, Event>,
}

#[test]
fn items_out_of_order_stop_a_writer_wherever_they_come_from() {
    let value = Strict::parse(b"\x05\x90\x01\x91\0").unwrap();
    assert_eq!(refused(&value), "events[2] Strict.events.sorted_by");
    let memory = vec![event(5, None, None), event(5, None, Some(1))];
    assert_eq!(refused(&Strict { events: leaked(memory) }), "events[1] Strict.events.unique");
    // What is wrong with an item itself is told first.
    let memory = vec![event(5, None, None), event(5, None, None)];
    assert_eq!(refused(&Strict { events: leaked(memory) }), "events[1].long presence");
    let value = Strict::parse(b"\x05\x05\x01").unwrap();
    assert_eq!(refused(&value), "events[1] Strict.events.unique");
}

/// An item with a parameter, in the order of the value around.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(endian = inherit, args(most: u64, wide: bool), check(kind <= most, "{kind} is above {most}"))]
struct Item<N> {
    kind: u8,
    #[bin(if = wide)]
    number: Option<N>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Covered<'a> {
    count: Auto<u16>,
    text: Auto<u8>,
    #[bin(len = text)]
    name: String,
    #[bin(count = count, align_before = 4, pad_to = 12, check(count < 9, "too many"))]
    #[bin(args(most = len(name), wide = previous.kind == 1 or false))]
    items: LinkedSeq<'a, Item<u16>>,
    #[bin(checksum(Crc32, over = items))]
    sum: u32,
}

#[test]
fn other_words_stand_beside_it() {
    let item = |kind, number| Item { kind, number };
    let items = vec![item(1, None), item(2, Some(0x0102_u16)), item(0, None)];
    let items = LinkedSeq::from(items.leak() as &[Item<u16>]);
    let name = "two".to_owned();
    let value = Covered { count: Auto::new(), text: Auto::new(), name, items, sum: 0 };
    let bytes: &'static [u8] = value.to_vec().unwrap().leak();
    assert_eq!(bytes[..20], *b"\x03\0\x03two\0\0\x01\x02\x02\x01\0\0\0\0\0\0\0\0");
    same(&Covered::parse(bytes).unwrap(), bytes);
    let above = [b"\x01\0\x03two\0\0\x04".as_slice(), &[0; 15]].concat();
    assert_eq!(stopped::<Covered<'_>>(above.leak()), "items[0].kind Item");
}

/// A lazy value around linked items, in a table; and a section that holds some.
#[derive(BinFormat, Debug, PartialEq)]
struct Tracks<'a> {
    count: Auto<u8>,
    #[bin(count = count)]
    sizes: Seq<'a, u8>,
    size: Auto<u8>,
    #[bin(len = size, section)]
    bytes: &'a [u8],
    at: Auto<u8>,
    #[bin(at = at, base = bytes, place = bytes, count = 2, args(running = previous.next() or 0, most = 255))]
    inside: LinkedSeq<'a, Event>,
    #[bin(for_each = sizes, len = it)]
    each: Vec<Open<'a>>,
}

#[test]
fn it_lies_in_sections_and_beside_tables() {
    let bytes = b"\x02\x02\x03\x04\x90\x01\x05\0\0\x91\x01\x05\x92\x01";
    let value = Tracks::parse(bytes).unwrap();
    assert_eq!(value.inside.walk_count(), 2);
    same(&value, bytes);
}

#[test]
fn an_inspector_shows_the_items_and_a_layout_names_them() {
    let tree = Open::inspect(b"\x90\x01\x05\x06\x07");
    let shown = tree.to_string();
    assert!(shown.contains("[2]") && shown.contains("long"), "{shown}");
    let field = &<Open<'_> as Wire<'_>>::WIRE.fields[0];
    assert_eq!((field.name, field.ty), ("events", "LinkedSeq<'a, Event>"));
    assert_eq!(<Open<'_> as Wire<'_>>::WIRE.all().len(), 2);
}
