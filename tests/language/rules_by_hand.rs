//! Functions that say what words cannot: where they are, and what they report.

use binfmt_runtime::{Auto, BinFormat, Rules, Seq, Severity, Show, path, rule_table};

use super::findings;

rule_table! {
    /// The rules of this module.
    const RULES;
    "chapter 3" {
        TWINS: warning "written.sizes.twins", "two neighbours are equal";
        NONE: note "written.none", "there are no sizes";
    }
    "chapter 4" {
        EMPTY: error "written.count.empty", "no sizes";
        FAR: error "cell.depth.far", "the cell is too deep";
    }
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(big, rules = sizes_differ, spec = "chapter 1")]
struct Written<'a> {
    count: Auto<u8>,
    #[bin(count = count)]
    sizes: Seq<'a, u8>,
}

fn sizes_differ(value: &Written<'_>, rules: &mut Rules<'_>) {
    let mut last = None;
    for (size, index) in value.sizes.iter().flatten().zip(0_u64..) {
        if last.replace(size) == Some(size) {
            let at = rules.at(&path!(Written.sizes[index]));
            let start = at.range().start + index;
            let values = (Show::Nothing, Show::Uint(size.into()));
            at.over(start..start + 1).report_with(&TWINS, values, format_args!("item {index}"));
        }
    }
    if value.sizes.count() == Some(0) {
        rules.report(&NONE, Show::Nothing, Show::Nothing);
        let mut at = rules.at(&path!(Written.count));
        at.report(&EMPTY, Show::Word("some"), Show::Uint(0));
    }
}

#[test]
fn a_rule_is_reported_at_its_field_with_its_values() {
    assert_eq!(findings::<Written<'_>>(&[3, 1, 1, 2]), ["warning sizes[1] written.sizes.twins"]);
    assert_eq!(
        Written::validate(&[2, 5, 5]).to_string(),
        "warning: sizes[1] at 0x2..0x3: two neighbours are equal (item 1); found 5 \
         [written.sizes.twins]\n"
    );
    let empty = ["note  written.none", "error count written.count.empty"];
    assert_eq!(findings::<Written<'_>>(&[0]), empty);
    let report = Written::validate(&[0]);
    assert!(report.to_string().contains("no sizes; expected some, found 0"), "{report}");
}

#[test]
fn a_rule_says_where_it_is_specified() {
    let report = Written::validate(&[0]);
    let specs: Vec<_> = report.findings().iter().map(|finding| finding.spec).collect();
    assert_eq!(specs, [Some("chapter 3"), Some("chapter 4")]);
    let codes: Vec<_> = RULES.iter().map(|rule| (rule.severity, rule.code)).collect();
    assert_eq!(codes[0], (Severity::Warning, "written.sizes.twins"));
    assert_eq!(codes.len(), 4);
}

/// Parts of parts, and the severity overrides of the fields that were walked there before.
#[derive(BinFormat, Debug, PartialEq)]
#[bin(big, rules = not_deep)]
struct Outer {
    #[bin(level("cell.depth.far" = note))]
    quiet: Middle,
    loud: Middle,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(big)]
struct Middle {
    #[bin(level("cell.depth.far" = note))]
    cell: Cell,
}

#[derive(BinFormat, Debug, PartialEq)]
#[bin(big)]
struct Cell {
    #[bin(warn(depth < 200, "deep"))]
    depth: u8,
}

fn not_deep(value: &Outer, rules: &mut Rules<'_>) {
    for (middle, step) in [(&value.quiet, path!(Outer.quiet)), (&value.loud, path!(Outer.loud))] {
        let mut outer = rules.at(&step);
        let range = outer.range();
        if middle.cell.depth > 9 {
            let depth = middle.cell.depth.into();
            outer.at(&path!(Middle.cell, Cell.depth)).report(
                &FAR,
                Show::Uint(9),
                Show::Uint(depth),
            );
            // An empty range says nothing, and the part is where it was.
            outer.at(&[]).over(0..0).report(&NONE, Show::Nothing, Show::Nothing);
        }
        assert_eq!(rules.at(&step).range(), range);
    }
}

#[test]
fn parts_of_parts_have_the_bytes_around_them() {
    assert_eq!(
        Outer::validate(&[1, 10]).to_string(),
        "error: loud.cell.depth at 0x1..0x2: the cell is too deep; expected 9, found 10 \
         [cell.depth.far]\nnote: loud at 0x1..0x2: there are no sizes [written.none]\n"
    );
}
