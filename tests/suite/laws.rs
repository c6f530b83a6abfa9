//! What holds for every declared type on every input; a format joins with one line.

use std::fmt::Debug;

use binfmt_runtime::{BinFormat, Class, Layout, Node, Report, Severity, Shape};

/// Codes of findings that say that rewriting will not give the same bytes.
const NOT_CANONICAL: &[&str] = &["padding", "canonical", "unkept"];

/// All laws, for a file that may be damaged in any way.
pub(crate) fn hold<'a, T>(bytes: &'a [u8], args: T::Args)
where
    T: BinFormat<'a> + Debug + PartialEq,
{
    reader_referee_and_validator_agree::<T>(bytes, args);
    rewriting_gives_the_same_bytes::<T>(bytes, args);
    fields_lie_inside_one_another::<T>(bytes, args);
}

/// Laws that need a copy of the file that lives as long: what is written is read as the same value.
pub(crate) fn round_trip<T>(bytes: &'static [u8], args: T::Args)
where
    T: BinFormat<'static> + Debug + PartialEq,
{
    let value = T::parse_with(bytes, args).unwrap();
    let written: &'static [u8] = value.to_vec_with(args).unwrap().leak();
    assert_eq!(T::parse_with(written, args).unwrap(), value);
    assert_eq!(value.encoded_len_with(args).unwrap(), u64::try_from(written.len()).unwrap());
    let mut slice = vec![0xAA; written.len()];
    assert_eq!(value.write_into_with(&mut slice, args).unwrap(), written.len());
    assert_eq!(slice, written);
    let mut stream = Vec::new();
    value.write_to_with(&mut stream, args).unwrap();
    assert_eq!(stream, written);
    if let Some(short) = slice.len().checked_sub(1) {
        value.write_into_with(&mut slice[..short], args).unwrap_err();
    }
}

/// Whether a finding of the report stops a reader.
fn stops(report: &Report, layout: &'static Layout) -> bool {
    let mut checks = Vec::new();
    collect_checks(layout, &mut checks, &mut Vec::new());
    report.errors().any(|finding| finding.class != Class::Invalid || checks.contains(&finding.code))
}

/// The codes of every rule that stops a reader, of the type and all types in it.
fn collect_checks(
    layout: &'static Layout,
    checks: &mut Vec<&'static str>,
    seen: &mut Vec<&'static str>,
) {
    // Tuples have no name of their own; they end at types that have one.
    if layout.shape != Shape::Scalar {
        if seen.contains(&layout.name) {
            return;
        }
        seen.push(layout.name);
    }
    checks.extend(layout.all_rules().filter(|rule| rule.stops).map(|rule| rule.code));
    for nested in layout.fields.iter().filter_map(|field| field.nested) {
        collect_checks(nested(), checks, seen);
    }
}

fn reader_referee_and_validator_agree<'a, T>(bytes: &'a [u8], args: T::Args)
where
    T: BinFormat<'a> + Debug,
{
    let report = T::validate_with(bytes, args);
    let valid = T::is_valid_with(bytes, args);
    assert_eq!(valid, !stops(&report, T::WIRE), "is_valid against\n{report}");
    match T::parse_with(bytes, args) {
        // Items of lazy parts come as errors when they are iterated, which `Debug` does.
        Ok(value) => {
            assert_eq!(
                !format!("{value:?}").contains("Err("),
                valid,
                "iteration against\n{report}"
            );
        }
        Err(error) => {
            assert!(!valid);
            let same = report.findings().iter().any(|finding| {
                (finding.code, finding.start, finding.end)
                    == (error.finding().code, error.finding().start, error.finding().end)
            });
            assert!(same, "the validator does not know {error}\n{report}");
        }
    }
}

fn rewriting_gives_the_same_bytes<'a, T>(bytes: &'a [u8], args: T::Args)
where
    T: BinFormat<'a> + Debug,
{
    let report = T::validate_with(bytes, args);
    if !report.is_ok() {
        return;
    }
    let canonical = !report.findings().iter().any(|finding| NOT_CANONICAL.contains(&finding.code));
    let (value, rest) = T::parse_prefix_with(bytes, args).unwrap();
    let written = value.to_vec_with(args).unwrap_or_else(|error| panic!("{error}"));
    if canonical {
        let read = &bytes[..bytes.len() - rest.len()];
        let first = written.iter().zip(read).position(|(a, b)| a != b);
        assert!(
            written == read,
            "rewriting changes {} bytes to {} from {first:x?}\n{report}",
            read.len(),
            written.len()
        );
    }
}

fn fields_lie_inside_one_another<'a, T: BinFormat<'a>>(bytes: &'a [u8], args: T::Args) {
    let tree = T::inspect_with(bytes, args);
    assert_eq!(
        tree.report,
        T::validate_with(bytes, args),
        "inspector and validator tell two stories"
    );
    inside(&tree.root, bytes.len());
}

fn inside(node: &Node, len: usize) {
    assert!(node.start <= node.end, "{} ends before it starts", node.name);
    assert!(node.end <= u64::try_from(len).unwrap(), "{} leaves the file", node.name);
    for child in &node.children {
        inside(child, len);
    }
}

/// A report without errors, else a panic that shows them.
#[track_caller]
pub(crate) fn assert_no_error(name: &str, report: &Report) {
    let errors: Vec<_> =
        report.findings().iter().filter(|f| f.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{name}: {errors:#?}");
}
