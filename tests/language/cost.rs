//! Twice the input costs twice as much, for every declaration and every observer.

use std::fmt::Debug;

use binfmt_runtime::{Auto, BinFormat, DefaultArgs, Lazy, Limits, Seq, laws};

use super::{laws as held, same, stopped};

/// The law: what walks cost grows with the input, and no faster.
#[track_caller]
fn linear<T>(input: impl Fn(usize) -> Vec<u8>)
where
    T: BinFormat<'static> + DefaultArgs<'static> + Debug + PartialEq,
{
    let sizes = [64, 128, 256, 512];
    let costs = sizes.map(|size| {
        let bytes: &'static [u8] = input(size).leak();
        held::hold::<T>(bytes, T::default_args());
        let steps = laws::cost::<T>(bytes, T::default_args()).most();
        let memory = allocation_counter::measure(|| drop(T::parse(bytes)));
        let validated = allocation_counter::measure(|| drop(T::validate(bytes)));
        let most = memory.bytes_total.max(validated.bytes_total);
        (bytes.len(), steps, most)
    });
    for [(len, steps, memory), (twice, more_steps, more_memory)] in
        costs.windows(2).map(|pair| [pair[0], pair[1]])
    {
        // Twice the input costs at most 2.2 times as much, but for what every walk costs.
        let grows = |cost: u64, more: u64, base: u64| {
            10 * len as u64 * more.saturating_sub(base) <= 11 * twice as u64 * cost
        };
        assert!(grows(steps, more_steps, 64), "{len} -> {twice}: {steps} -> {more_steps} steps");
        assert!(
            grows(memory, more_memory, 4096),
            "{len} -> {twice}: {memory} -> {more_memory} bytes"
        );
    }
}

/// The code of what a validator says last, and that all observers agree.
#[track_caller]
fn told<T>(bytes: Vec<u8>) -> Vec<&'static str>
where
    T: BinFormat<'static> + DefaultArgs<'static> + Debug + PartialEq,
{
    let bytes: &'static [u8] = bytes.leak();
    held::hold::<T>(bytes, T::default_args());
    T::validate(bytes).findings().iter().map(|finding| finding.code).collect()
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(probe)]
enum Variant {
    First(First),
    Second(Second),
    End(End),
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct First {
    open: u8,
    inside: Box<Variant>,
    #[bin(check(close == 1, "one"))]
    close: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Second {
    open: u8,
    inside: Box<Variant>,
    #[bin(check(close == 2, "two"))]
    close: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct End {
    #[bin(check(end == 3, "three"))]
    end: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Many {
    #[bin(until_end)]
    all: Vec<Variant>,
}

#[test]
fn variants_that_lose_on_every_level_are_paid_for() {
    for close in [1, 2] {
        for depth in [3, 10, 20, 40, 60] {
            let one = [vec![0; depth], vec![3], vec![close; depth]].concat();
            let cost = laws::cost::<Variant>(&one, ());
            assert!(cost.most() < 40 * 121, "{depth}: {cost:?}");
            told::<Variant>(one);
        }
    }
    linear::<Many>(|size| [0, 3, 2].repeat(size));
    linear::<Many>(|size| [vec![0; size], vec![3], vec![2; size]].concat());
}

/// An expression of one variant after the other, of which the last one mostly wins.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(probe)]
enum Expression {
    Sum(Sum),
    Group(Group),
    Number(Number),
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(magic = b"+")]
struct Sum {
    a: Box<Expression>,
    b: Box<Expression>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(magic = b"(")]
struct Group {
    inside: Box<Expression>,
    #[bin(magic = b")")]
    weight: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Number {
    #[bin(range = 0x30..=0x39)]
    digit: u8,
}

#[test]
fn a_grammar_whose_variants_begin_differently_is_read_whole() {
    let digit = || Box::new(Expression::Number(Number { digit: b'1' }));
    let mut value = *digit();
    for _ in 0..15 {
        value = Expression::Sum(Sum { a: digit(), b: Box::new(value) });
        value = Expression::Group(Group { inside: Box::new(value), weight: 7 });
    }
    let bytes: &'static [u8] = value.to_vec().unwrap().leak();
    same(&value, bytes);
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Table {
    count: Auto<u32>,
    #[bin(count = count)]
    rows: Vec<Row>,
    #[bin(for_each = rows, at = it.at)]
    bodies: Vec<Body>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Row {
    at: u32,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Body {
    #[bin(until = last.a == 0)]
    items: Vec<Item>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Item {
    a: u8,
}

/// As many rows as bytes behind them, all of which lead to the same body.
fn table(rows: usize, last: u8) -> Vec<u8> {
    let count = u32::try_from(rows).unwrap();
    let at = (4 + 4 * count).to_le_bytes();
    let mut body = vec![1; 4 * rows];
    *body.last_mut().unwrap() = last;
    [count.to_le_bytes().to_vec(), at.repeat(rows), body].concat()
}

#[test]
fn bodies_at_one_place_end_with_the_budget_whether_they_can_be_read_or_not() {
    for last in [0, 1] {
        linear::<Table>(|size| table(size, last));
        let codes = told::<Table>(table(100, last));
        assert_eq!(codes.iter().filter(|code| **code == "budget").count(), 1, "{codes:?}");
    }
    let report = Table::validate(&table(100, 0));
    assert_eq!(report.findings()[0].path.as_str(), "bodies[16]");
    assert_eq!(Table::parse(&table(100, 0)).unwrap_err().finding(), &report.findings()[0]);
}

/// The same with a body that holds a table again, and whose own bytes are read each time.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Nest {
    count: u8,
    #[bin(len = count)]
    numbers: Vec<u8>,
    at: u8,
    #[bin(if = at > 0, at = at, base = file)]
    inside: Option<Box<Self>>,
}

#[test]
fn what_is_read_on_the_way_to_a_located_value_is_paid_before_it() {
    // The value at 2 leads to itself, so it would be read 64 times.
    linear::<Nest>(|size| {
        let count = u8::try_from(size.min(200)).unwrap();
        [vec![0, 2, count], vec![7; usize::from(count)], vec![2], vec![0; size]].concat()
    });
    let bytes = [vec![0, 2, 200], vec![7; 200], vec![2]].concat();
    assert!(laws::cost::<Nest>(&bytes, ()).read < 10 * 204);
    assert_eq!(told::<Nest>(bytes).last(), Some(&"budget"));
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Sheet {
    rows: u16,
    columns: u16,
    width: u16,
    #[bin(count = rows, args(columns, width))]
    grid: Vec<Line>,
    #[bin(until_end)]
    rest: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(args(columns: u16, width: u16))]
struct Line {
    #[bin(count = columns, args(width))]
    cells: Vec<Cell>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(args(width: u16))]
struct Cell {
    #[bin(len = width)]
    text: Vec<u8>,
}

#[test]
fn items_of_no_bytes_take_no_more_memory_than_the_input_pays() {
    linear::<Sheet>(|size| {
        let mut bytes = [0xff, 0xf, 0xff, 0xf, 0, 0].to_vec();
        bytes.resize(8 * size, 0);
        bytes
    });
    let mut bytes = [0xff, 0xf, 0xff, 0xf, 0, 0].to_vec();
    bytes.resize(4096, 0);
    let bytes: &'static [u8] = bytes.leak();
    let info = allocation_counter::measure(|| assert!(Sheet::parse(bytes).is_err()));
    assert!(info.bytes_max < 256 * 4096, "{info:?}");
    // Few of them are what a file may hold.
    let line = || Line { cells: vec![Cell { text: vec![] }; 5] };
    let grid =
        Sheet { rows: 3, columns: 5, width: 0, grid: vec![line(), line(), line()], rest: vec![] };
    same(&grid, &[3, 0, 5, 0, 0, 0]);
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Absent {
    count: u8,
    kind: u8,
    #[bin(count = count, args(kind))]
    items: Vec<MayBe>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(args(kind: u8))]
struct MayBe {
    #[bin(if = kind == 1)]
    value: Option<u8>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct LazyAbsent<'a> {
    count: u8,
    kind: u8,
    #[bin(count = count, args(kind))]
    items: Seq<'a, MayBe>,
    after: u8,
}

#[test]
fn items_that_are_all_absent_are_read_as_they_are_written() {
    let absent = |count: u8| Absent {
        count,
        kind: 0,
        items: vec![MayBe { value: None }; usize::from(count)],
    };
    same(&absent(4), &[4, 0]);
    same(&absent(0), &[0, 0]);
    same(&Absent { count: 2, kind: 1, items: vec![MayBe { value: Some(7) }; 2] }, &[2, 1, 7, 7]);
    let items: &'static [MayBe] = vec![MayBe { value: None }; 4].leak();
    same(&LazyAbsent { count: 4, kind: 0, items: Seq::from(items), after: 9 }, &[4, 0, 9]);
    // More than any input of that size pays are refused before the first one.
    assert_eq!(stopped::<Absent>(&[200, 0]), "count budget");
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Large {
    fixed: [u8; 16384],
    more: u8,
    #[bin(if = more == 1)]
    inside: Option<Box<Self>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct LargeItems {
    fixed: [u8; 16384],
    count: u8,
    #[bin(count = count)]
    items: Vec<Self>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct LargeLazy<'a> {
    fixed: [u8; 16384],
    #[bin(until_end)]
    inside: Lazy<'a, MaybeLarge<'a>>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(probe)]
enum MaybeLarge<'a> {
    Large(Box<LargeLazy<'a>>),
    End(Nothing<'a>),
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Nothing<'a> {
    #[bin(until_end)]
    rest: &'a [u8],
}

/// The walks of all observers fit into two megabytes of stack.
fn fits<T>(bytes: &'static [u8])
where
    T: BinFormat<'static> + DefaultArgs<'static>,
{
    let walk = move || {
        let valid = T::is_valid(bytes);
        let report = T::validate(bytes);
        assert_eq!(valid, report.is_ok());
        assert!(T::inspect(bytes).report == report);
        drop(T::parse(bytes));
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(walk).unwrap().join().unwrap();
}

#[test]
fn large_values_inside_one_another_leave_the_stack_whole() {
    let bytes: &'static [u8] = [vec![0; 16384], vec![1]].concat().repeat(62).leak();
    fits::<Large>(bytes);
    fits::<LargeItems>(bytes);
    fits::<LargeLazy<'_>>(bytes);
    let error = Large::parse(bytes).unwrap_err();
    assert_eq!(error.finding().code, "depth");
    assert!(error.to_string().contains(&Limits::MAX_STACK.to_string()), "{error}");
    // A few of them are fine.
    let few: &'static [u8] =
        [[vec![0; 16384], vec![1]].concat().repeat(3), vec![0; 16385]].concat().leak();
    assert!(Large::is_valid(few));
}

/// A text whose end is searched in every variant that loses.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(probe)]
enum Word<'a> {
    Text(Text<'a>),
    Byte(u8),
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Text<'a> {
    #[bin(nul)]
    text: &'a str,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Words<'a> {
    #[bin(until_end)]
    words: Vec<Word<'a>>,
}

#[test]
fn a_search_that_finds_nothing_is_paid_for() {
    assert_eq!(told::<Words<'_>>(vec![1; 3000]), ["budget"]);
    linear::<Words<'_>>(|size| vec![1; size * 4]);
}

/// Numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(end).unwrap()).unwrap()
    }

    /// The input with some bytes changed, to what drives a walk, or to others of the same input.
    fn change(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut copy = bytes.to_vec();
        for _ in 0..=self.below(3) {
            let (at, from) = (self.below(bytes.len()), self.below(bytes.len()));
            let len = self.below((bytes.len() - at.max(from)).min(32) + 1);
            match self.below(3) {
                0 => copy[at] = [0, 1, 2, 3, 4, 8, 0x7f, 0xff][self.below(8)],
                1 => copy[at..at + len].fill([0, 1, 2, 3][self.below(4)]),
                _ => copy[at..at + len].copy_from_slice(&bytes[from..from + len]),
            }
        }
        copy
    }
}

/// Searches the input of `len` bytes whose walks cost most, uphill from where others have got.
#[track_caller]
fn worst<T>(len: usize)
where
    T: BinFormat<'static> + DefaultArgs<'static> + Debug + PartialEq,
{
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut best: (u64, Vec<u8>) = (0, vec![0; len]);
    for _ in 0..400 {
        let bytes: &'static [u8] = random.change(&best.1).leak();
        let cost = laws::cost::<T>(bytes, T::default_args());
        // What is new and what the budget pays, for a few steps each.
        let most = 6 * u64::try_from(9 * len + 64).unwrap();
        assert!(cost.most() <= most, "{cost:?} for {bytes:?}");
        if cost.most() >= best.0 {
            best = (cost.most(), bytes.to_vec());
        }
    }
    held::hold::<T>(best.1.leak(), T::default_args());
}

#[test]
fn no_input_that_a_search_finds_costs_more_than_its_size_allows() {
    for len in [24, 48, 96, 192] {
        worst::<Variant>(len);
        worst::<Many>(len);
        worst::<Expression>(len);
        worst::<Table>(len);
        worst::<Nest>(len);
        worst::<Sheet>(len);
        worst::<Absent>(len);
        worst::<LazyAbsent<'_>>(len);
        worst::<Words<'_>>(len);
    }
}

/// Values that are read at no cost, but for what is compared beside them: bytes up to a place far behind,
/// and padding of which the file says how much there is.
#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Far<T> {
    count: Auto<u16>,
    #[bin(count = count)]
    places: Vec<u16>,
    #[bin(for_each = places, at = it)]
    rows: Vec<T>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Placed {
    at: u16,
    #[bin(at = at)]
    far: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Padded {
    len: u16,
    #[bin(pad_after = len)]
    near: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Around {
    count: Auto<u16>,
    #[bin(count = count)]
    places: Vec<u16>,
    #[bin(for_each = places, at = it, pad_after = it)]
    rows: Vec<One>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct One {
    byte: u8,
}

/// Whether a validator and a reader find that a table of so many offsets that lead to one value costs too
/// much.
fn is_spent<T>(rows: u16) -> bool
where
    T: for<'a> BinFormat<'a> + for<'a> DefaultArgs<'a>,
{
    let mut file = rows.to_le_bytes().to_vec();
    file.extend((4 + 2 * rows).to_le_bytes().repeat(usize::from(rows)));
    file.extend([0, 0]);
    file.extend(50_000_u16.to_le_bytes());
    file.resize(60_001, 0);
    let spent = T::validate(&file).findings().iter().any(|finding| finding.code == "budget");
    assert_eq!(T::parse(&file).is_err(), spent);
    spent
}

#[test]
fn what_is_compared_beside_a_value_is_paid_for_too() {
    assert!(!is_spent::<Far<Placed>>(3) && is_spent::<Far<Placed>>(1000));
    assert!(!is_spent::<Far<Padded>>(3) && is_spent::<Far<Padded>>(1000));
    assert!(!is_spent::<Around>(3) && is_spent::<Around>(1000));
}

/// One level takes a fifth of the stack that a thread has.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
#[expect(clippy::large_enum_variant, reason = "large values are what is nested")]
enum Huge {
    #[bin(magic = 1u8)]
    More([u8; 20000], Box<Self>),
    #[bin(magic = 2u8)]
    Named {
        first: [u8; 10000],
        #[bin(count = 5000)]
        second: Vec<u16>,
        inner: Box<Self>,
    },
    End(u8),
}

#[test]
fn huge_values_nest_no_deeper_than_the_stack_is() {
    for kind in [1, 2] {
        let level = [vec![kind], vec![0; 20000]].concat();
        for levels in 0..9 {
            fits::<Huge>([level.repeat(levels), vec![4]].concat().leak());
        }
        let deep: &[u8] = [level.repeat(8), vec![4]].concat().leak();
        assert!(!Huge::is_valid(deep));
    }
}
