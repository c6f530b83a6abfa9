//! Open sections: values of nested types lie there, wherever between the others.

use binfmt_runtime::{Auto, BinFormat, Report, Severity, laws};

use super::laws::hold;

/// A tree of nodes that lie anywhere in the data, with names that lie there, too.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Tree<'a> {
    root_at: u16,
    #[bin(section = open, len = remaining)]
    data: &'a [u8],
    #[bin(at = root_at, place = data)]
    root: Node<'a>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Node<'a> {
    name_at: u16,
    #[bin(at = name_at, null = 0, nul, place = around)]
    name: Option<&'a [u8]>,
    count: Auto<u8>,
    #[bin(count = count)]
    children_at: Vec<Entry>,
    #[bin(for_each = children_at, at = it.at, place = around)]
    children: Vec<Self>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Entry {
    at: u16,
}

/// A tree of which every value may be placed anywhere: a pool of parts, each told by its number.
struct Made {
    parts: Vec<Vec<u8>>,
    /// Where in the parts an offset stands, and of which part.
    offsets: Vec<(usize, usize, usize)>,
}

impl Made {
    fn node(&mut self, names: &mut impl Iterator<Item = usize>, depth: usize) -> usize {
        let own = self.parts.len();
        self.parts.push(Vec::new());
        let mut bytes = vec![0, 0];
        if let Some(len) = names.next().filter(|len| *len > 0) {
            let name = self.parts.len();
            self.parts.push([vec![b'a'; len], vec![0]].concat());
            self.offsets.push((own, 0, name));
        }
        let children = if depth == 0 { 0 } else { names.next().unwrap_or(0) % 4 };
        bytes.push(u8::try_from(children).unwrap());
        for _ in 0..children {
            let child = self.node(names, depth - 1);
            self.offsets.push((own, bytes.len(), child));
            bytes.extend([0, 0]);
        }
        self.parts[own] = bytes;
        own
    }

    /// The file with the parts in an order, and so many bytes between them.
    fn file(&self, order: &[usize], gap: usize) -> Vec<u8> {
        let mut places = vec![0; self.parts.len()];
        let mut file = vec![0, 0];
        for part in order {
            file.extend(vec![0xee; gap]);
            places[*part] = file.len();
            file.extend(&self.parts[*part]);
        }
        for (part, at, to) in &self.offsets {
            let at = places[*part] + at;
            file[at..at + 2].copy_from_slice(&u16::try_from(places[*to]).unwrap().to_le_bytes());
        }
        file[..2].copy_from_slice(&u16::try_from(places[0]).unwrap().to_le_bytes());
        file
    }
}

/// Numbers that look like chance, and are the same every time.
fn chance(seed: usize) -> impl FnMut(usize) -> usize {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(99);
    move |most| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % most
    }
}

fn trees() -> impl Iterator<Item = Vec<u8>> {
    (0..60).map(|seed| {
        let mut chance = chance(seed);
        let mut made = Made { parts: Vec::new(), offsets: Vec::new() };
        let numbers: Vec<usize> = (0..40).map(|_| chance(9)).collect();
        made.node(&mut numbers.into_iter(), 3);
        let mut order: Vec<usize> = (0..made.parts.len()).collect();
        for index in (1..order.len()).rev() {
            order.swap(index, chance(index + 1));
        }
        made.file(&order, seed % 3)
    })
}

fn errors(report: &Report) -> Vec<String> {
    let errors = report.findings().iter().filter(|finding| finding.severity == Severity::Error);
    errors.map(|finding| format!("{}: {}", finding.path, finding.code)).collect()
}

#[test]
fn values_of_nested_types_lie_in_any_order_and_stay_there() {
    let mut nodes = 0;
    for file in trees() {
        let tree = Tree::parse(&file).unwrap();
        assert_eq!(errors(&Tree::validate(&file)), [""; 0]);
        assert_eq!(tree.to_vec().unwrap(), file);
        hold::<Tree<'_>>(&file, ());
        nodes += count(&tree.root);
    }
    assert!(nodes > 300, "{nodes} nodes");
}

fn count(node: &Node<'_>) -> usize {
    1 + node.children.iter().map(count).sum::<usize>()
}

/// What is changed in a tree: the first node, from the last on, that has what it takes.
fn change(node: &mut Node<'static>, how: usize) -> bool {
    if node.children.iter_mut().rev().any(|child| change(child, how)) {
        return true;
    }
    match how {
        0 => node.name.as_mut().map(|name| *name = b"a longer name than before").is_some(),
        1 => node.name.replace(b"x").is_none(),
        2 => {
            let child = Node { name_at: 0, name: Some(b"new"), ..Node::leaf() };
            node.children.push(child);
            node.children_at.push(Entry { at: 0 });
            true
        }
        _ => node.children.pop().and_then(|_| node.children_at.pop()).is_some(),
    }
}

impl Node<'_> {
    fn leaf() -> Self {
        Self {
            name_at: 0,
            name: None,
            count: Auto::new(),
            children_at: Vec::new(),
            children: Vec::new(),
        }
    }
}

#[test]
fn what_has_grown_moves_and_everything_is_found() {
    let mut changed = 0;
    for file in trees() {
        let file: &'static [u8] = file.leak();
        for how in 0..4 {
            let mut tree = Tree::parse(file).unwrap();
            if !change(&mut tree.root, how) {
                continue;
            }
            let bytes = tree.to_vec().unwrap();
            let read = Tree::parse(&bytes).unwrap();
            assert_eq!(names(&read.root), names(&tree.root));
            assert_eq!(errors(&Tree::validate(&bytes)), [""; 0]);
            let compact = tree.compact().to_vec().unwrap();
            assert_eq!(names(&Tree::parse(&compact).unwrap().root), names(&tree.root));
            assert!(compact.len() <= bytes.len());
            assert!(matches!(laws::written_is_read(&tree, ()), Ok(Ok(_))));
            changed += 1;
        }
    }
    assert!(changed > 150, "{changed} changes");
}

/// The content of a tree without its places.
fn names(node: &Node<'_>) -> Vec<Option<Vec<u8>>> {
    let mut all = vec![node.name.map(<[u8]>::to_vec)];
    all.extend(node.children.iter().flat_map(names));
    all
}

/// Records in front of the section, whose names may share their places.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Pool {
    count: Auto<u8>,
    size: Auto<u8>,
    #[bin(count = count)]
    records: Vec<Record>,
    #[bin(section = open, len = size)]
    data: Vec<u8>,
    tail: u8,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Record {
    id: u8,
    name_at: u8,
    #[bin(at = name_at, base = file, null = 0, prefix = u8, place = around, shared)]
    name: Option<Vec<u8>>,
}

/// Where a name lies, and the name.
type Told<'n> = (u8, &'n [u8]);

fn pool(names: &[Told<'_>], len: usize, tail: u8) -> Pool {
    let record = |(name_at, name): &Told<'_>| Record {
        id: 7,
        name_at: *name_at,
        name: (!name.is_empty()).then(|| name.to_vec()),
    };
    let records = names.iter().map(record).collect();
    Pool { count: Auto::new(), size: Auto::new(), records, data: vec![9; len], tail }
}

#[test]
fn what_lies_in_front_of_the_section_has_values_there() {
    let cases: [(&[Told<'_>], usize, usize); 6] = [
        (&[], 0, 3),
        (&[(5, b"one")], 0, 10),
        (&[(20, b"one"), (9, b"two")], 0, 25),
        (&[(20, b"one"), (20, b"one"), (24, b"two")], 0, 29),
        (&[(20, b"one"), (20, b"other"), (0, b"")], 20, 31),
        (&[(200, b"one"), (0, b""), (199, b"longer")], 0, 211),
    ];
    for (names, len, file_len) in cases {
        let value = pool(names, len, 5);
        let bytes = value.to_vec().unwrap();
        let mut streamed = Vec::new();
        value.write_to(&mut streamed).unwrap();
        assert_eq!(streamed, bytes);
        assert_eq!(value.encoded_len().unwrap(), u64::try_from(bytes.len()).unwrap());
        let read = Pool::parse(&bytes).unwrap();
        assert_eq!(
            read.records.iter().map(|record| &record.name).collect::<Vec<_>>(),
            value.records.iter().map(|record| &record.name).collect::<Vec<_>>(),
        );
        assert_eq!(bytes.len(), file_len, "{names:?}: {bytes:?}");
        hold::<Pool>(&bytes, ());
    }
}

#[test]
fn what_is_said_of_a_value_names_it() {
    // The second name overlaps the first one.
    let bytes = [2, 6, 7, 6, 7, 7, 2, 1, b'a', 0, 0, 0, 5];
    let report = Pool::validate(&bytes);
    assert_eq!(errors(&report), ["records[1].name: overlap"]);
    // It lies behind the section.
    let bytes = [1, 3, 7, 7, 1, b'a', 0, 1, b'b'];
    assert_eq!(errors(&Pool::validate(&bytes)), ["records[0].name: region"]);
}

/// A type whose values lie in no section.
#[test]
fn without_an_open_section_around_nothing_is_written() {
    let value = Record { id: 1, name_at: 3, name: Some(b"ab".to_vec()) };
    let error = value.to_vec().unwrap_err();
    assert_eq!(error.finding().code, "region");
    assert_eq!(errors(&Record::validate(&[1, 2, 2, b'a', b'b'])), ["name: region"]);
    assert!(Record { name: None, name_at: 0, id: 1 }.to_vec().is_ok());
}

/// A table whose items have a name in the pool, and a body that is told by the item.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Files {
    count: Auto<u8>,
    size: u8,
    #[bin(count = count)]
    items: Vec<File>,
    #[bin(section = open, len = size)]
    data: Vec<u8>,
    #[bin(for_each = items, at = it.at, base = start, len = it.len, place = data)]
    bodies: Vec<Vec<u8>>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct File {
    at: u8,
    len: u8,
    name_at: u8,
    #[bin(at = name_at, base = file, null = 0, nul, place = around)]
    name: Option<String>,
}

#[test]
fn items_of_tables_have_values_there_beside_those_of_the_table() {
    for case in 0..40_u64 {
        let mut chance = chance(usize::try_from(case).unwrap());
        let count = chance(4);
        let items = (0..count).map(|_| File {
            at: u8::try_from(chance(60)).unwrap(),
            len: 77,
            name_at: u8::try_from(chance(60)).unwrap(),
            name: (chance(3) > 0).then(|| "n".repeat(chance(5))),
        });
        let items = items.collect();
        let bodies: Vec<Vec<u8>> = (0..count).map(|_| vec![4; chance(6)]).collect();
        let data = vec![0xee; chance(9)];
        let value = Files { count: Auto::new(), size: 0, items, data, bodies };
        let bytes = value.to_vec().unwrap();
        let read = Files::parse(&bytes).unwrap();
        assert_eq!(read.bodies, value.bodies);
        let names = |value: &Files| -> Vec<Option<String>> {
            value.items.iter().map(|file| file.name.clone()).collect()
        };
        assert_eq!(names(&read), names(&value));
        assert_eq!(errors(&Files::validate(&bytes)), [""; 0]);
        hold::<Files>(&bytes, ());
    }
}

/// Two places that lead to one group, whose name lies elsewhere.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Twice {
    first_at: u8,
    second_at: u8,
    #[bin(section = open, len = remaining)]
    data: Vec<u8>,
    #[bin(at = first_at, place = data, shared)]
    first: Group,
    #[bin(at = second_at, place = data, shared)]
    second: Group,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Group {
    name_at: u8,
    #[bin(at = name_at, base = file, nul, place = around)]
    name: String,
}

#[test]
fn values_that_share_a_place_do_so_only_if_what_they_lead_to_is_the_same() {
    let bytes = [6, 6, b'a', 0, 0, 0, 2];
    let mut value = Twice::parse(&bytes).unwrap();
    assert_eq!(errors(&Twice::validate(&bytes)), [""; 0]);
    assert_eq!(value.to_vec().unwrap(), bytes);
    value.second.name = "b".to_owned();
    let written = value.to_vec().unwrap();
    let read = Twice::parse(&written).unwrap();
    assert_eq!((read.first.name.as_str(), read.second.name.as_str()), ("a", "b"));
    assert_eq!(errors(&Twice::validate(&written)), [""; 0]);
}

/// Values that are placed downwards are measured first.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Outer {
    page_at: u8,
    #[bin(section = open, len = remaining)]
    data: Vec<u8>,
    #[bin(at = page_at, place = data)]
    page: Page,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(len = 8)]
struct Page {
    group_at: u8,
    #[bin(section, len = 7, grow = down)]
    heap: Vec<u8>,
    #[bin(at = group_at, base = start, place = heap)]
    group: Group,
}

#[test]
fn what_is_placed_downwards_has_nothing_in_a_section_around() {
    let group = Group { name_at: 0, name: "ab".to_owned() };
    let page = Page { group_at: 7, heap: vec![0; 7], group };
    let error = Outer { page_at: 1, data: Vec::new(), page }.to_vec().unwrap_err();
    assert_eq!((error.finding().code, error.finding().path.as_str()), ("region", "page.group"));
}

/// A value that leads to another one, which may be shared.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Leads {
    to: u8,
    #[bin(at = to, place = around, base = start, nul, shared)]
    name: String,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Led {
    len: u16,
    at: u8,
    #[bin(section = open, len = len)]
    pool: Vec<u8>,
    #[bin(at = at, place = pool, shared)]
    leads: Leads,
}

#[test]
fn a_value_does_not_share_its_place_with_one_that_it_leads_to() {
    let itself = [1, 0, 3, 0];
    assert_eq!(Led::parse(&itself).unwrap().leads.name, "");
    let report = Led::validate(&itself);
    assert!(errors(&report).iter().any(|error| error.ends_with("overlap")), "{report}");
    let apart = [2, 0, 3, 1, 0];
    hold::<Led>(&apart, ());
    assert!(Led::validate(&apart).is_ok());
}

/// A value of the same bytes, which leads to nothing.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Bare {
    to: u8,
}

/// A value that leads to another one, of which `Bare` has the bytes.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Names {
    to: u8,
    #[bin(at = to, place = around, nul, shared)]
    name: String,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Beside {
    len: u8,
    bare_at: u8,
    names_at: u8,
    #[bin(section = open, len = len)]
    pool: Vec<u8>,
    #[bin(at = bare_at, place = pool, shared)]
    bare: Bare,
    #[bin(at = names_at, place = pool, shared)]
    names: Names,
    #[bin(prefix = u8)]
    more: Vec<u8>,
}

#[test]
fn values_do_not_share_a_place_if_other_values_lie_inside() {
    let one = [3, 3, 3, 4, b'a', 0, 0];
    let read = Beside::parse(&one).unwrap();
    assert_eq!((read.bare.to, read.names.name.as_str()), (4, "a"));
    assert_eq!(errors(&Beside::validate(&one)), ["names: overlap"]);
    let written = read.to_vec().unwrap();
    assert!(Beside::validate(&written).is_ok());
    hold::<Beside>(&written, ());
    hold::<Beside>(&one, ());
}

/// Values of no section around, which have no bytes: readers take them, and so do writers.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct NothingAround {
    len: u8,
    at: u8,
    #[bin(at = at, len = len, place = around)]
    value: Vec<u8>,
}

#[test]
fn a_value_without_bytes_needs_no_section_around() {
    for at in 0..4 {
        let file = [0, at];
        let Ok(read) = NothingAround::parse(&file) else {
            assert!(at > 2);
            continue;
        };
        assert!(NothingAround::validate(&file).findings().is_empty());
        assert_eq!(read.to_vec().unwrap(), file);
    }
    let moved = NothingAround { len: 7, at: 200, value: vec![] };
    assert_eq!(moved.to_vec().unwrap(), [0, 0]);
    let lost = NothingAround { len: 1, at: 2, value: vec![1] };
    assert_eq!(lost.to_vec().unwrap_err().finding().code, "region");
}

/// Samples whose places count in units from the start of the file.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Samples {
    first_at: u8,
    second_at: u8,
    version: u8,
    #[bin(section = open, len = remaining)]
    held: Vec<u8>,
    #[bin(at = first_at, place = held)]
    first: Sample,
    #[bin(at = second_at, place = held)]
    second: Sample,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Sample {
    at: u8,
    len: u8,
    #[bin(at = at * 4, len = len, place = around)]
    data: Vec<u8>,
}

/// Every file of nine bytes with two samples: those without bytes may lie anywhere, and nothing grows for them.
#[test]
fn values_without_bytes_take_no_room_wherever_they_lie() {
    let (mut written, mut in_front) = (0, 0);
    let few = |most: u8| 0..=most;
    for (at, len) in few(2).flat_map(|at| few(1).map(move |len| (at, len))) {
        for (other, empty) in few(2).flat_map(|other| few(1).map(move |len| (other, len))) {
            for (first_at, second_at) in [(3, 5), (3, 6), (5, 3), (6, 3), (4, 7)] {
                let mut file = [first_at, second_at, 0, 9, 9, 9, 9, 9, 9];
                for (place, bytes) in [(first_at, [at, len]), (second_at, [other, empty])] {
                    let place = usize::from(place);
                    file[place..place + 2].copy_from_slice(&bytes);
                }
                let report = Samples::validate(&file);
                if report.findings().iter().any(|finding| finding.severity == Severity::Error) {
                    continue;
                }
                let value = Samples::parse(&file).unwrap();
                assert_eq!(value.to_vec().unwrap(), file, "{report}");
                written += 1;
                in_front += u32::from(len == 0 && at == 0 || empty == 0 && other == 0);
            }
        }
    }
    assert!(written > 40 && in_front > 20, "{written} {in_front}");
}
