//! The laws on one input, which may be damaged in any way.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;

use crate::finding::Class;
use crate::layout::Layout;
use crate::ops::wide;
use crate::report::Report;
use crate::tree::{Node, Tree};
use crate::{BinFormat, Finding};

/// Codes of findings that say that rewriting will not give the same bytes.
const NOT_CANONICAL: &[&str] =
    &["padding", "canonical", "unkept", "derived", "checksum", "overlap", "region"];

/// Codes of findings about bytes that belong to nothing.
const UNCLAIMED: &[&str] = &["gap", "unkept", "trailing", "region", "overlap"];

/// Checks all laws on one input; `Ok` is what a validator says about it.
pub fn hold<'a, T>(bytes: &'a [u8], args: T::Args) -> Result<Report, String>
where
    T: BinFormat<'a> + Debug + PartialEq,
{
    let report = T::validate_with(bytes, args);
    agree::<T>(bytes, args, &report)?;
    rewritten::<T>(bytes, args, &report)?;
    let tree = T::inspect_with(bytes, args);
    if tree.report != report {
        return Err(format!("the inspector says:\n{}and the validator:\n{report}", tree.report));
    }
    inside(&tree.root, wide(bytes.len()))?;
    // A buffer keeps what its tables do not lead to.
    if !is_table(T::WIRE) {
        covered(&tree, bytes)?;
    }
    Ok(report)
}

/// A broken law, with what a validator says.
fn broken(law: &str, report: &Report) -> String {
    format!("{law}; the validator says:\n{report}")
}

/// The codes of every rule that stops a reader, of the type and all types in it.
fn checks(layout: &'static Layout) -> Vec<&'static str> {
    let all = layout.all().into_iter().flat_map(Layout::all_rules);
    all.filter(|rule| rule.stops).map(|rule| rule.code).collect()
}

/// Reader, `is_valid` and validator say the same.
fn agree<'a, T>(bytes: &'a [u8], args: T::Args, report: &Report) -> Result<(), String>
where
    T: BinFormat<'a> + Debug,
{
    let codes = checks(T::WIRE);
    let stops =
        |finding: &Finding| finding.class != Class::Invalid || codes.contains(&finding.code);
    let valid = T::is_valid_with(bytes, args);
    if valid == report.errors().any(stops) {
        return Err(broken(&format!("`is_valid` is {valid}"), report));
    }
    match T::parse_with(bytes, args) {
        // Items of lazy parts come as errors when they are iterated, which `Debug` does.
        Ok(value) if format!("{value:?}").contains("Err(") == valid => {
            Err(broken(&format!("`is_valid` is {valid}, but not for the lazy parts"), report))
        }
        Ok(_) => Ok(()),
        Err(error) if valid => Err(broken(&format!("the reader stops: {error}"), report)),
        Err(error) => {
            let place = |finding: &Finding| (finding.code, finding.start, finding.end);
            let mut findings = report.findings().iter();
            if findings.any(|finding| place(finding) == place(error.finding())) {
                return Ok(());
            }
            Err(broken(&format!("the validator does not know of {error}"), report))
        }
    }
}

/// What has no error is written as it was read, unless a finding says that it is not canonical.
fn rewritten<'a, T>(bytes: &'a [u8], args: T::Args, report: &Report) -> Result<(), String>
where
    T: BinFormat<'a> + Debug,
{
    if !report.is_ok() {
        return Ok(());
    }
    let (value, rest) = match T::parse_prefix_with(bytes, args) {
        Ok(read) => read,
        Err(error) => return Err(broken(&format!("no prefix can be read: {error}"), report)),
    };
    let written = match value.to_vec_with(args) {
        Ok(written) => written,
        Err(error) => {
            return Err(broken(&format!("what was read cannot be written: {error}"), report));
        }
    };
    if report.findings().iter().any(|finding| NOT_CANONICAL.contains(&finding.code)) {
        return Ok(());
    }
    let read = bytes.get(..bytes.len().saturating_sub(rest.len())).unwrap_or_default();
    if written == read {
        return Ok(());
    }
    // Where neither byte differs, one is a part of the other.
    let first = written.iter().zip(read).position(|(a, b)| a != b);
    let first = first.unwrap_or(written.len().min(read.len()));
    let law = format!(
        "{} bytes are rewritten as {} that differ from {first:#x} on",
        read.len(),
        written.len()
    );
    Err(broken(&law, report))
}

/// The bytes of a value, the same for every kind of output.
pub fn written_as_read<'a, T: BinFormat<'a>>(value: &T, args: T::Args) -> Result<Vec<u8>, String> {
    let wrong = |what: &str| Err(format!("`{what}` and `to_vec` differ"));
    let written = value.to_vec_with(args).map_err(|error| format!("cannot be written: {error}"))?;
    if value.encoded_len_with(args) != Ok(wide(written.len())) {
        return wrong("encoded_len");
    }
    let mut slice = alloc::vec![0xaa; written.len()];
    if value.write_into_with(&mut slice, args) != Ok(written.len()) || slice != written {
        return wrong("write_into");
    }
    let mut stream = Vec::new();
    if value.write_to_with(&mut stream, args).is_err() || stream != written {
        return wrong("write_to");
    }
    if let Some((_, short)) = slice.split_last_mut()
        && value.write_into_with(short, args).is_ok()
    {
        return Err("a value is written into a slice that is too short".into());
    }
    Ok(written)
}

/// Fields end behind their start and lie in the file.
fn inside(node: &Node, len: u64) -> Result<(), String> {
    if node.start > node.end {
        return Err(format!("`{}` ends before it starts", node.name));
    }
    if node.end > len {
        return Err(format!("`{}` leaves the file", node.name));
    }
    node.children.iter().try_for_each(|child| inside(child, len))
}

/// Every byte of a valid file is a field, a padding or named by a finding.
fn covered(tree: &Tree, bytes: &[u8]) -> Result<(), String> {
    if !tree.report.is_ok() {
        return Ok(());
    }
    let mut ranges = Vec::new();
    leaves(&tree.root, &mut ranges);
    let findings = tree.report.findings().iter();
    let unclaimed = findings.filter(|finding| UNCLAIMED.contains(&finding.code));
    ranges.extend(unclaimed.map(|finding| (finding.start, finding.end)));
    ranges.sort_unstable();
    let mut reached = 0;
    for (start, end) in ranges {
        if start > reached {
            return Err(broken(
                &format!("nobody names the bytes {reached:#x}..{start:#x}"),
                &tree.report,
            ));
        }
        reached = reached.max(end);
    }
    if reached < wide(bytes.len()) {
        return Err(broken(&format!("nobody names the bytes from {reached:#x} on"), &tree.report));
    }
    Ok(())
}

/// Whether the type is a table, or one in one of several schemas.
fn is_table(layout: &Layout) -> bool {
    let mut schemas = layout.fields.iter().filter_map(|field| field.nested);
    match layout.shape {
        crate::Shape::Table => true,
        crate::Shape::Union => schemas.any(|schema| schema().shape == crate::Shape::Table),
        _ => false,
    }
}

fn leaves(node: &Node, ranges: &mut Vec<(u64, u64)>) {
    // A value without fields may still have a magic or prefix in front and padding behind; what
    // tables of a buffer do not lead to is kept with the buffer.
    let around = |child: &Node| matches!(child.name.as_str(), "magic" | "prefix" | "padding");
    let keeps_all = node.ty.starts_with("FlatBuffer");
    if node.children.iter().all(around) || keeps_all {
        ranges.push((node.start, node.end));
    }
    node.children.iter().for_each(|child| leaves(child, ranges));
}
