//! Looks for witnesses of rules that have none.

use std::collections::BTreeMap;

use crate::subjects::Subject;
use crate::witnesses::{new, place};

/// A change that breaks one rule alone, and how good it is: lower is better.
type Found = BTreeMap<&'static str, ((bool, bool, usize, usize), String)>;

/// Lines for the list of a format, as far as small changes of its files are witnesses, and what is
/// said of the other rules.
pub(crate) fn lines(subject: &Subject, codes: &[&String]) -> (Vec<String>, Vec<String>) {
    let mut found = Found::new();
    // Asking the program costs too much to try every change.
    for (name, file) in subject.files().into_iter().filter(|_| subject.layout.is_some()) {
        if !name.starts_with("negative/") && file.len() < 1 << 12 {
            try_all(subject, &name, &file, &mut found);
        }
    }
    let (known, unknown): (Vec<&&String>, Vec<&&String>) =
        codes.iter().partition(|code| found.contains_key(code.as_str()));
    let lines = known.iter().filter_map(|code| Some(found.get(code.as_str())?.1.clone()));
    let others = unknown.iter().map(|code| format!("{code} is broken by no small change"));
    (lines.collect(), others.collect())
}

/// Of equally good witnesses the first one stays.
fn try_all(subject: &Subject, name: &str, file: &[u8], found: &mut Found) {
    let before = (subject.validate)(file);
    let clean = before.findings().is_empty();
    for at in 0..file.len() {
        for (change, bytes) in changes(file, at) {
            let after = (subject.validate)(&bytes);
            let [one] = &new(&before, &after)[..] else { continue };
            let covers = (one.start..=one.end).contains(&u64::try_from(at).unwrap());
            let score = (!clean, !covers, change.len(), file.len());
            let line = format!("{} {name} {change} {}", one.code, place(one));
            let slot = found.entry(one.code).or_insert_with(|| (score, line.clone()));
            if score < slot.0 {
                *slot = (score, line);
            }
        }
    }
}

/// Small changes at an offset.
fn changes(file: &[u8], at: usize) -> Vec<(String, Vec<u8>)> {
    let mut list = Vec::new();
    let mut put = |new: &[u8]| {
        let mut bytes = file.to_vec();
        if let Some(place) = bytes.get_mut(at..at + new.len())
            && place != new
        {
            place.copy_from_slice(new);
            let hex: String = new.iter().map(|byte| format!("{byte:02x}")).collect();
            list.push((format!("{at:x}={hex}"), bytes));
        }
    };
    let old = file[at];
    for new in [0, 1, 2, 8, 9, 0xff, old.wrapping_add(1), old.wrapping_sub(1), old ^ 4, old ^ 0x80]
    {
        put(&[new]);
    }
    if at.is_multiple_of(4) {
        for new in [0_u32, 1, u32::MAX, 1 << 31, 1 << 16] {
            put(&new.to_le_bytes());
        }
    }
    // What a vtable may say.
    if at.is_multiple_of(2) {
        for new in (4_u16..32).step_by(4) {
            put(&new.to_le_bytes());
        }
    }
    list.push((format!("{at:x}|"), file[..at].to_vec()));
    list
}
