//! What goes, in tables and in JSON.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use binfmt_formats::fatbin::Kind;
use binfmt_formats::slim::{Code, Fate, Found, Member, Mode, Note, Options, Pin, Plan, Refusal};
use binfmt_tool::input::Input;
use binfmt_tool::json::{number, wide};
use binfmt_tool::output::printable;
use binfmt_tool::sizes;
use binfmt_tool::table::{Side, Table};
use serde_json::{Value, json};

/// How many containers a table shows.
const MOST_ROWS: usize = 20;

/// Entries of one architecture in one section, and what becomes of them.
#[derive(Default)]
struct Tally {
    kept: u64,
    kept_bytes: u64,
    dropped: u64,
    dropped_bytes: u64,
    why: Vec<&'static str>,
}

/// What code is called.
fn name(code: &Code) -> String {
    let suffix = code.flags.arch_suffix();
    match code.kind {
        Kind::Elf => format!("sm_{}{suffix}", code.arch),
        Kind::Ptx => format!("compute_{}{suffix}", code.arch),
        kind => format!("{} {}{suffix}", kind.name(), code.arch),
    }
}

fn len(range: &Range<u64>) -> u64 {
    range.end.saturating_sub(range.start)
}

/// Entries of one or more files, by section and architecture.
#[derive(Default)]
pub(super) struct Tallies {
    by: BTreeMap<(String, u32, String), Tally>,
    bytes: u64,
}

impl Tallies {
    pub(super) fn of(plan: &Plan) -> Self {
        let mut tallies = Self::default();
        tallies.add(plan);
        tallies
    }

    pub(super) fn add(&mut self, plan: &Plan) {
        for container in &plan.containers {
            self.bytes = self.bytes.saturating_add(container.len());
            for Member { range, code, fate } in &container.members {
                let key = (container.part.clone(), code.arch, name(code));
                let tally = self.by.entry(key).or_default();
                let (count, bytes) = if fate.stays() {
                    (&mut tally.kept, &mut tally.kept_bytes)
                } else {
                    (&mut tally.dropped, &mut tally.dropped_bytes)
                };
                *count += 1;
                *bytes += len(range);
                if !tally.why.contains(&fate.text()) {
                    tally.why.push(fate.text());
                }
            }
        }
    }

    pub(super) fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        use Side::{Left, Right};
        let mut table = Table::new(&[
            ("SECTION", Left),
            ("CODE", Left),
            ("STAY", Right),
            ("BYTES", Right),
            ("GO", Right),
            ("BYTES", Right),
            ("OF ALL", Right),
            ("WHY", Left),
        ]);
        for ((part, _, code), tally) in &self.by {
            table.row(vec![
                printable(part),
                code.clone(),
                tally.kept.to_string(),
                tally.kept_bytes.to_string(),
                tally.dropped.to_string(),
                tally.dropped_bytes.to_string(),
                sizes::percent(tally.dropped_bytes, self.bytes),
                tally.why.join("; "),
            ]);
        }
        table.write(out)
    }

    pub(super) fn json(&self) -> Vec<Value> {
        let one = |((part, _, code), tally): (&(String, u32, String), &Tally)| {
            json!({
                "section": part,
                "code": code,
                "kept": number(tally.kept),
                "kept_bytes": number(tally.kept_bytes),
                "dropped": number(tally.dropped),
                "dropped_bytes": number(tally.dropped_bytes),
                "why": tally.why,
            })
        };
        self.by.iter().map(one).collect()
    }
}

pub(super) fn text(
    input: &Input,
    plan: &Plan,
    with_containers: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    Tallies::of(plan).text(out)?;
    if with_containers {
        containers(plan, out)?;
    }
    let old = wide(input.len());
    let file = printable(&input.name());
    let saved = sizes::percent(old.saturating_sub(plan.new_len()), old);
    let gone: u64 = plan.containers.iter().flat_map(Found::dropped).map(|it| len(&it.range)).sum();
    if plan.changes {
        writeln!(out, "{file}: {old} bytes, {} without what goes, {saved} less", plan.new_len())
    } else if gone > 0 {
        writeln!(out, "{file}: {gone} bytes could go, but free no whole page of the file")
    } else {
        writeln!(out, "{file}: nothing goes")
    }
}

/// The member and the section that a container lies in.
fn place(container: &Found) -> String {
    match &container.member {
        Some(member) => format!("{member}:{}", container.part),
        None => container.part.clone(),
    }
}

/// The containers that lose most.
fn containers(plan: &Plan, out: &mut dyn Write) -> io::Result<()> {
    use Side::{Left, Right};
    let mut sorted: Vec<_> = plan.containers.iter().collect();
    sorted.sort_by_key(|it| std::cmp::Reverse(it.len().saturating_sub(it.new_len())));
    let mut table = Table::new(&[
        ("CONTAINER", Left),
        ("BYTES", Right),
        ("GO", Right),
        ("PART", Right),
        ("STAYS WHERE IT IS", Left),
    ]);
    for container in sorted.iter().take(MOST_ROWS) {
        let gone = container.len().saturating_sub(container.new_len());
        table.row(vec![
            printable(&format!("{} at {:#x}", place(container), container.range.start)),
            container.len().to_string(),
            gone.to_string(),
            sizes::percent(gone, container.len()),
            container.pin.map_or("", Pin::text).to_owned(),
        ]);
    }
    writeln!(out)?;
    table.write(out)?;
    let more = sorted.len().saturating_sub(MOST_ROWS);
    if more > 0 {
        writeln!(out, "and {more} more, which `--json` shows")?;
    }
    writeln!(out)
}

pub(super) fn note(note: &Note) -> String {
    match note {
        Note::Hole(section) => format!(
            "a container of {section} stays behind what is taken out, so the section header cannot \
             be true; tools that move sections, as `strip` does, would break the file"
        ),
        Note::NoSpare => "there is no room for four more program headers, which tools that add \
             their own may not notice"
            .to_owned(),
        Note::Left(refusal) => format!("stays as it is: {refusal}"),
    }
}

pub(super) fn refusal(input: &Input, refusal: &Refusal) -> Value {
    json!({ "file": input.name(), "refused": why(refusal) })
}

/// Why a file is refused.
pub(super) fn why(refusal: &Refusal) -> Value {
    json!({
        "code": refusal.rule.code,
        "path": refusal.path,
        "offset": number(refusal.offset),
        "message": refusal.rule.text,
        "expected": refusal.expected,
        "found": refusal.found,
    })
}

pub(super) fn json(input: &Input, output: Option<&Path>, options: &Options, plan: &Plan) -> Value {
    json!({
        "file": input.name(),
        "output": output.map(|path| path.to_string_lossy()),
        "mode": mode(options),
        "devices": options.devices,
        "changes": plan.changes,
        "bytes": number(wide(input.len())),
        "new_bytes": number(plan.new_len()),
        "notes": plan.notes.iter().map(note).collect::<Vec<_>>(),
        "codes": Tallies::of(plan).json(),
        "containers": plan.containers.iter().map(container).collect::<Vec<_>>(),
    })
}

pub(super) fn mode(options: &Options) -> &'static str {
    match options.mode {
        Mode::Pack => "pack",
        Mode::Zero => "zero",
    }
}

pub(super) fn container(container: &Found) -> Value {
    let entries: Vec<_> = container.members.iter().map(entry).collect();
    json!({
        "member": container.member,
        "section": container.part,
        "offset": number(container.range.start),
        "bytes": number(container.len()),
        "new_bytes": number(container.new_len()),
        "pinned": container.pin.map(Pin::text),
        "entries": entries,
    })
}

fn entry(member: &Member) -> Value {
    json!({
        "offset": number(member.range.start),
        "bytes": number(len(&member.range)),
        "code": name(&member.code),
        "kept": member.fate.stays(),
        "why": Fate::text(member.fate),
    })
}
