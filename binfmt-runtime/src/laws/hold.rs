//! The laws on one input, which may be damaged in any way.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;

use super::input::{Input, Read};
use crate::finding::{Class, Error};
use crate::layout::Layout;
use crate::ops::wide;
use crate::report::Report;
use crate::tree::{Node, NodeValue, Tree};
use crate::{BinFormat, Finding};

/// Codes of findings that say that rewriting will not give the same bytes.
const NOT_CANONICAL: &[&str] =
    &["padding", "canonical", "unkept", "derived", "checksum", "overlap", "region"];

/// Codes of findings about bytes that belong to nothing.
const UNCLAIMED: &[&str] = &["gap", "unkept", "trailing", "region", "overlap"];

/// Checks all laws on one input; `Ok` is what a validator says about it.
///
/// Where functions of the user (`with`) or a number of variable length do not give back what they have read, what is
/// written is leaked, to be read again.
pub fn hold<'a, T>(bytes: &'a [u8], args: T::Args) -> Result<Report, String>
where
    T: BinFormat<'a> + Debug,
{
    all(&Read::<T> { bytes, args })
}

fn all(input: &dyn Input) -> Result<Report, String> {
    let report = input.report();
    agree(input, &report)?;
    rewritten(input, &report)?;
    prefixes(input)?;
    let tree = input.tree();
    if tree.report != report {
        return Err(format!("the inspector says:\n{}and the validator:\n{report}", tree.report));
    }
    inside(&tree.root, wide(input.bytes().len()), report.is_ok())?;
    // A buffer keeps what its tables do not lead to.
    if !is_table(input.layout()) {
        covered(&tree, input.bytes())?;
    }
    Ok(report)
}

/// A broken law, with what a validator says.
fn broken(law: &str, report: &Report) -> String {
    format!("{law}; {}", said(report))
}

/// What a validator says, or that it says nothing.
pub(super) fn said(report: &Report) -> String {
    if report.findings().is_empty() {
        return "the validator has no findings".into();
    }
    format!("the validator says:\n{report}")
}

/// The codes of every rule that stops a reader, of the type and all types in it.
fn checks(layout: &'static Layout) -> Vec<&'static str> {
    let all = layout.all().into_iter().flat_map(Layout::all_rules);
    all.filter(|rule| rule.stops).map(|rule| rule.code).collect()
}

/// Reader, `is_valid` and validator say the same.
fn agree(input: &dyn Input, report: &Report) -> Result<(), String> {
    let mut codes = None;
    let mut stops = |finding: &Finding| {
        finding.class != Class::Invalid
            || codes.get_or_insert_with(|| checks(input.layout())).contains(&finding.code)
    };
    let valid = input.is_valid();
    if valid == report.errors().any(&mut stops) {
        return Err(broken(&format!("`is_valid` is {valid}"), report));
    }
    // A reader spends less than a validator, and so does each look at a lazy part.
    let spent = report.errors().any(|finding| finding.code == "budget");
    match input.read() {
        _ if spent && !valid => Ok(()),
        Ok(lazy) if lazy == valid => {
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

/// So many parts of an input are read.
const PREFIXES: usize = 24;

/// Who reads from a stream reads the same wherever that is split: what is read needs all of its bytes and none
/// behind them, and with fewer bytes it is cut short, or costs more than these pay for.
fn prefixes(input: &dyn Input) -> Result<(), String> {
    if input.is_open() {
        return Ok(());
    }
    let len = input.bytes().len();
    let whole = input.prefix(len);
    let step = len.div_ceil(PREFIXES).max(1);
    let end = *whole.as_ref().unwrap_or(&len);
    for cut in (0..len).step_by(step).chain(end.checked_sub(1)) {
        let part = input.prefix(cut);
        let waits =
            |error: &Error| error.class() == Class::Incomplete || error.finding().code == "budget";
        let law = match (&whole, &part) {
            (_, Err(part)) if waits(part) => continue,
            (Ok(end), Ok(part)) if cut >= *end && part == end => continue,
            (Err(_), Err(_)) => continue,
            (whole, part) => format!(
                "{cut} of {len} bytes are read as {part:?}, and all as {whole:?}, by a type that is not open"
            ),
        };
        return Err(law);
    }
    Ok(())
}

/// What has no error is written as it was read, unless a finding says that it is not canonical.
fn rewritten(input: &dyn Input, report: &Report) -> Result<(), String> {
    if !report.is_ok() {
        return Ok(());
    }
    let (read, written) = match input.rewrite() {
        Ok(read) => read,
        Err(error) => return Err(broken(&format!("no prefix can be read: {error}"), report)),
    };
    let written = match written {
        Ok(written) => written,
        Err(error) if may_be_refused(&error, report) => return Ok(()),
        Err(error) => {
            return Err(broken(&format!("what was read cannot be written: {error}"), report));
        }
    };
    let reported = |code: &str| report.findings().iter().any(|finding| finding.code == code);
    if NOT_CANONICAL.iter().any(|code| reported(code) || report.is_silenced(code)) {
        return Ok(());
    }
    let read = input.bytes().get(..read).unwrap_or_default();
    match different(read, &written) {
        None => Ok(()),
        // Functions may write in one way what they read in several; two that do not belong together do not.
        Some(_) if reported("with") && input.is_stable(written.clone()) => Ok(()),
        Some(first) if input.is_shorter(&written, wide(first)) => Ok(()),
        Some(first) => {
            let law = format!(
                "{} bytes are rewritten as {} that differ from {first:#x} on, in {}",
                read.len(),
                written.len(),
                field_at(&input.tree(), wide(first)),
            );
            Err(broken(&law, report))
        }
    }
}

/// Whether a value that was read without an error may be refused: a finding says what is lost or computed
/// anew when it is written.
pub fn may_be_refused(error: &Error, report: &Report) -> bool {
    needs_what_is_lost(error, report) || disagrees(error, report) || is_foretold(error, report)
}

/// Whether a place that is not kept has a number that does not fit, which a finding says a writer would make.
fn is_foretold(error: &Error, report: &Report) -> bool {
    let refused = error.finding();
    refused.code == "overflow"
        && report
            .findings()
            .iter()
            .any(|finding| finding.code == "canonical" && finding.expected == refused.found)
}

/// Whether a value is refused because it would be read otherwise without the bytes behind it, which
/// belong to nothing and are not written.
fn needs_what_is_lost(error: &Error, report: &Report) -> bool {
    let by_what_follows =
        ["variant", "optional", "until", "budget", "view", "level"].contains(&error.finding().code);
    let lost = |code: &str| report.findings().iter().any(|finding| finding.code == code);
    by_what_follows && NOT_CANONICAL.iter().chain(UNCLAIMED).any(|code| lost(code))
}

/// Whether a number is stored where the writer would compute another one, which may not fit there: one
/// that the validator compares, that of a field that is absent, which something around the value uses,
/// or the size of what is written shorter than it was.
fn disagrees(error: &Error, report: &Report) -> bool {
    let refused = error.finding().code == "derived";
    let mut codes = report.findings().iter().map(|finding| finding.code);
    codes.any(|code| code == "derived" || refused && code == "canonical")
}

/// Where two runs of bytes begin to differ.
pub(super) fn different(a: &[u8], b: &[u8]) -> Option<usize> {
    if a == b {
        return None;
    }
    // Where no byte differs, one is a part of the other.
    let first = a.iter().zip(b).position(|(a, b)| a != b);
    Some(first.unwrap_or(a.len().min(b.len())))
}

/// The path of the innermost field that the byte at an offset belongs to.
pub(super) fn field_at(tree: &Tree, offset: u64) -> String {
    let mut path = String::new();
    for node in nodes_at(tree, offset) {
        if !path.is_empty() && !node.name.starts_with('[') {
            path.push('.');
        }
        path.push_str(&node.name);
    }
    if path.is_empty() { tree.root.name.clone() } else { format!("`{path}`") }
}

/// The fields and items that the byte at an offset belongs to, from the outermost on.
fn nodes_at(tree: &Tree, offset: u64) -> impl Iterator<Item = &Node> {
    let inside =
        move |node: &&'_ Node| node.start <= offset && offset < node.end && !node.is_decoded();
    let first = tree.root.children.iter().find(inside);
    core::iter::successors(first, move |node| node.children.iter().find(inside))
}

/// Whether an `Auto` of variable length stands where two files begin to differ, and takes fewer bytes in the other.
///
/// Where it tells a place behind it, one byte less moves that place so that it needs one less: of one value two
/// files can be read, and nothing in the value says which of them it was. A number that is no `Auto` keeps its length.
pub(super) fn is_shorter(tree: &Tree, other: &Tree, first: u64) -> bool {
    let is_number = |node: &&Node| {
        let number = matches!(node.value, Some(NodeValue::Uint(_) | NodeValue::Int(_)));
        number && node.ty.contains("Auto<")
    };
    let number = |tree| nodes_at(tree, first).last().filter(is_number);
    number(tree).zip(number(other)).is_some_and(|(number, other): (&Node, &Node)| {
        number.start == other.start && other.end < number.end
    })
}

/// Fields end behind their start and lie in the file. Decoded bytes end with their value, unless more are left.
fn inside(node: &Node, len: u64, is_valid: bool) -> Result<(), String> {
    if node.start > node.end {
        return Err(format!("`{}` ends before it starts", node.name));
    }
    if node.end > len {
        return Err(format!("`{}` leaves the file", node.name));
    }
    let len = |child: &Node| match child.is_decoded() {
        true if is_valid => child.end,
        true => u64::MAX,
        false => len,
    };
    node.children.iter().try_for_each(|child| inside(child, len(child), is_valid))
}

/// Every byte of a valid file is a field, a padding or named by a finding.
fn covered(tree: &Tree, bytes: &[u8]) -> Result<(), String> {
    let silenced = UNCLAIMED.iter().any(|code| tree.report.is_silenced(code));
    let cut = tree.left_out > 0 || tree.report.left_out().next().is_some();
    if !tree.report.is_ok() || silenced || cut {
        return Ok(());
    }
    let mut ranges = Vec::new();
    leaves(&tree.root, &mut ranges);
    let findings = tree.report.findings().iter();
    let unclaimed =
        findings.filter(|finding| UNCLAIMED.contains(&finding.code) && finding.coded_at.is_none());
    ranges.extend(unclaimed.map(|finding| (finding.start, finding.end)));
    ranges.sort_unstable();
    let mut reached = 0;
    let unnamed = |reached: u64, end: &dyn core::fmt::Display| {
        let behind = field_at(tree, reached.saturating_sub(1));
        let law = format!("no field has the bytes {reached:#x}..{end} behind {behind}");
        broken(&law, &tree.report)
    };
    for (start, end) in ranges {
        if start > reached {
            return Err(unnamed(reached, &format_args!("{start:#x}")));
        }
        reached = reached.max(end);
    }
    if reached < wide(bytes.len()) { Err(unnamed(reached, &"")) } else { Ok(()) }
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
    let ty = ["Option<", "Box<", "Lazy<'a, "]
        .iter()
        .fold(node.ty, |ty, around| ty.strip_prefix(around).unwrap_or(ty));
    let keeps_all = ty.starts_with("FlatBuffer");
    // What is computed from a value has no bytes of its own.
    let holds = !matches!(node.value, None | Some(NodeValue::Group | NodeValue::Items(_)));
    let computed = |child: &Node| holds && child.start == child.end;
    let own = |child: &Node| around(child) || computed(child) || child.is_decoded();
    if node.children.iter().all(own) || keeps_all {
        ranges.push((node.start, node.end));
    }
    node.children
        .iter()
        .filter(|child| !child.is_decoded())
        .for_each(|child| leaves(child, ranges));
}
