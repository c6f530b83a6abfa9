//! What recorders keep is limited; what they leave out changes no verdict, and they say so.

use binfmt_runtime::{
    Auto, BinFormat, Events, FieldLayout, Finding, LeftOut, Report, Severity, Step, TreeBuilder,
    Value,
};

use super::same;

#[derive(BinFormat, Debug, PartialEq)]
struct Notes {
    #[bin(until_end)]
    all: Vec<Noted>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Noted {
    #[bin(note(a != 1, "one"), warn(a < 3, "many", code = "Noted.a"), error(a != 9, "nine"))]
    a: u8,
}

#[test]
fn a_thousand_findings_of_a_code_and_severity_are_kept_and_the_others_counted() {
    let many = [vec![1; 3000], vec![4; 1500], vec![2; 10]].concat();
    let report = Notes::validate(&many);
    assert_eq!(report.findings().len(), 2000);
    let left: Vec<LeftOut> = report.left_out().collect();
    let left_out = |severity, count| LeftOut { severity, code: "Noted.a", count };
    assert_eq!(left, [left_out(Severity::Note, 2000), left_out(Severity::Warning, 500)]);
    assert!(report.is_ok());
    let text = report.to_string();
    assert!(
        text.ends_with("note: and 2000 more [Noted.a]\nwarning: and 500 more [Noted.a]\n"),
        "{text}"
    );
    // Notes do not hide the error behind them.
    let broken = [many, vec![9]].concat();
    let report = Notes::validate(&broken);
    assert!(!report.is_ok());
    assert_eq!(report.errors().next().unwrap().start, 4510);
    assert_eq!(Notes::inspect(&broken).report, report);
    // A report that is put together counts on.
    let mut all = Report::new();
    all.extend(report.findings().iter().cloned());
    all.count_left_out(&report);
    assert_eq!(all, report);
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(little)]
struct Spread {
    count: Auto<u8>,
    #[bin(count = count)]
    rows: Vec<Place>,
    #[bin(for_each = rows, at = it.at)]
    values: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(little)]
struct Place {
    at: u8,
}

/// The same, where gaps are warnings or nothing at all.
#[derive(BinFormat, Debug, PartialEq)]
#[bin(level(gap = warning))]
struct Loud(Spread);

#[derive(BinFormat, Debug, PartialEq)]
#[bin(level(gap = off, unkept = off))]
struct Silent(Spread);

/// Values on every third byte, and what lies between them.
fn spread(count: u8, between: u8) -> Vec<u8> {
    let mut bytes = vec![count];
    bytes.extend((0..count).map(|index| 1 + count + 3 * index));
    bytes.extend((0..count).flat_map(|_| [7, between, between]));
    bytes
}

#[test]
fn gaps_of_zeros_are_one_note() {
    let bytes = spread(50, 0);
    let report = Spread::validate(&bytes);
    let [gaps, trailing] = report.findings() else { panic!("{report}") };
    assert_eq!((gaps.code, gaps.severity, gaps.start, gaps.end), ("gap", Severity::Note, 52, 198));
    assert_eq!(
        gaps.message.as_str(),
        "49 gaps that hold only fill, 98 bytes in all, belong to no field"
    );
    assert_eq!(trailing.code, "trailing");
    // One gap is told where it is.
    let one = Spread::validate(&spread(2, 0)).findings()[0].clone();
    assert_eq!((one.message.as_str(), one.start), ("bytes that belong to no field", 4));
    // Others are told one by one, and so is what a declaration wants to hear of.
    let count =
        |report: &Report, code| report.findings().iter().filter(|one| one.code == code).count();
    assert_eq!(count(&Spread::validate(&spread(50, 1)), "unkept"), 49);
    assert_eq!(count(&Loud::validate(&bytes), "gap"), 49);
    super::survives::<Spread>(spread(3, 0).leak(), ());
}

#[test]
fn what_is_switched_off_is_not_told() {
    for between in [0, 1] {
        let bytes: &'static [u8] = spread(5, between).leak();
        let report = Silent::validate(bytes);
        assert!(report.findings().iter().all(|one| one.code == "trailing"), "{report}");
        super::laws::hold::<Silent>(bytes, ());
    }
    assert_eq!(Silent::LAYOUT.overrides, [("gap", None), ("unkept", None)]);
}

/// Counts events, and keeps nothing.
#[derive(Default)]
struct Count {
    begun: u64,
    ended: u64,
    findings: u64,
}

impl Events for Count {
    fn finding(&mut self, _: Finding) {
        self.findings += 1;
    }

    fn enter(&mut self, _: Step, _: Option<&'static FieldLayout>, _: usize) {
        self.begun += 1;
    }

    fn leave(&mut self, _: usize, _: &Value<'_>) {
        self.ended += 1;
    }

    fn end(&mut self, end: usize, value: Option<&Value<'_>>) {
        assert_eq!((end, value.is_some()), (2001, true));
    }
}

#[derive(BinFormat, Debug, PartialEq)]
struct Streamed<'a> {
    count: u8,
    #[bin(until_end)]
    all: binfmt_runtime::Seq<'a, Noted>,
}

#[test]
fn an_inspector_hands_on_what_it_sees_and_keeps_nothing() {
    let bytes = [vec![0], vec![5; 2000]].concat();
    let mut count = Count::default();
    let memory = allocation_counter::measure(|| Streamed::inspect_into(&bytes, (), &mut count));
    assert_eq!((count.begun, count.ended, count.findings), (4002, 4002, 2000));
    // Texts of the finding that is being told.
    assert!(memory.bytes_max < 2000, "{memory:?}");
    let mut tree = TreeBuilder::new(100);
    Streamed::inspect_into(&bytes, (), &mut tree);
    let tree = tree.finish();
    assert_eq!(tree.left_out, 4002 - 99);
    assert_eq!(tree.report, Streamed::validate(&bytes));
    assert!(tree.to_string().ends_with("and 3903 more fields and items\n"));
    let whole = Streamed::inspect(&bytes);
    assert_eq!((whole.left_out, whole.root.children[1].children.len()), (0, 2000));
}

#[test]
fn a_cut_tree_closes_what_damage_left_open() {
    let bytes: &[u8] = &[3, 4, 5, 6, 7];
    for most in 0..12 {
        let mut tree = TreeBuilder::new(most);
        Spread::inspect_into(bytes, (), &mut tree);
        let tree = tree.finish();
        assert_eq!(tree.root.ty, "Spread");
        assert_eq!(tree.report, Spread::validate(bytes));
    }
}

/// A value in a value in a value.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(level(padding = note))]
struct Deep {
    count: u8,
    #[bin(count = count)]
    inside: Vec<Self>,
    kind: u8,
    #[bin(if = kind == 1)]
    innermost: Option<Innermost>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(level(padding = error))]
struct Innermost {
    #[bin(pad_after = 1)]
    byte: u8,
}

#[test]
fn overrides_of_the_innermost_type_hold_at_any_depth() {
    for depth in [1, 30, 31, 32, 40, 63] {
        let bytes = [vec![1; depth], vec![0, 1, 9, 8], vec![0; depth]].concat();
        let report = Deep::validate(&bytes);
        let [padding] = report.findings() else { panic!("{depth}: {report}") };
        assert_eq!((padding.code, padding.severity), ("padding", Severity::Error), "{depth}");
    }
    let value = Deep { count: 0, inside: vec![], kind: 1, innermost: Some(Innermost { byte: 9 }) };
    same(&value, &[0, 1, 9, 0]);
}
