//! Looks for witnesses of rules that have none, when `WITNESSES` names a format.

use std::collections::BTreeMap;

use crate::subjects::{self, Subject};
use crate::witnesses::{List, codes, new, place};

/// A change that breaks one rule alone, and how good it is: lower is better.
type Found = BTreeMap<&'static str, ((bool, bool, usize, usize), String)>;

#[test]
fn lists_what_can_be_found() {
    let Ok(wanted) = std::env::var("WITNESSES") else { return };
    for subject in subjects::ALL.iter().filter(|subject| wanted == subject.name) {
        let (list, mut found) = (List::of(subject), Found::new());
        let missing: Vec<_> = codes(subject).into_iter().filter(|code| !list.has(code)).collect();
        for (name, file) in subject.files() {
            if !name.starts_with("negative/") && file.len() < 1 << 12 {
                try_all(subject, &name, &file, &mut found);
            }
        }
        for (code, (_, line)) in &found {
            if missing.iter().any(|missing| missing == code) {
                println!("{line}");
            } else if !list.has(code) {
                println!("{line} # is in no list of rules");
            }
        }
        for code in missing.iter().filter(|code| !found.contains_key(code.as_str())) {
            println!("# {code}");
        }
    }
}

fn try_all(subject: &Subject, name: &str, file: &[u8], found: &mut Found) {
    let before = (subject.validate)(file);
    let clean = before.findings().is_empty();
    for at in 0..file.len() {
        for (change, bytes) in changes(file, at) {
            let after = (subject.validate)(&bytes);
            let [one] = &new(&before, &after)[..] else { continue };
            let covers = one.start <= at as u64 && at as u64 <= one.end;
            let size = change.len();
            let score = (!clean, !covers, size, file.len());
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
    let old = file[at];
    for new in [0, 1, 2, 8, 0xff, old.wrapping_add(1), old.wrapping_sub(1), old ^ 4, old ^ 0x80] {
        if new != old {
            let mut bytes = file.to_vec();
            bytes[at] = new;
            list.push((format!("{at:x}={new:02x}"), bytes));
        }
    }
    if at.is_multiple_of(4) && at + 4 <= file.len() {
        for new in [0_u32, 1, u32::MAX, 1 << 31, 1 << 16] {
            let mut bytes = file.to_vec();
            bytes[at..at + 4].copy_from_slice(&new.to_le_bytes());
            list.push((format!("{at:x}={:08x}", new.swap_bytes()), bytes));
        }
    }
    list.push((format!("{at:x}|"), file[..at].to_vec()));
    list
}
