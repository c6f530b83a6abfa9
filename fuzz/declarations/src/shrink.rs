//! Takes words, fields and types from a failing declaration while it fails in the same way.

use crate::compile::{Outcome, Workshop};
use crate::grammar::Declaration;
use crate::grammar::model::Kind;

/// How many smaller declarations are compiled together.
const TOGETHER: usize = 48;

/// How many times all smaller declarations are tried.
const ROUNDS: usize = 14;

/// The smallest declaration that is found to fail like the given one, and how it fails.
pub fn shrink(
    workshop: &Workshop,
    from: &Declaration,
    outcome: &Outcome,
) -> (Declaration, Outcome) {
    let kind = outcome.kind();
    let mut best = (from.clone(), outcome.clone());
    for _ in 0..ROUNDS {
        let mut smaller = smaller(&best.0);
        smaller.sort_by_key(Declaration::weight);
        let mut better = None;
        for group in smaller.chunks(TOGETHER) {
            let outcomes = workshop.test(group);
            let found = group.iter().zip(outcomes).find(|(_, outcome)| outcome.kind() == kind);
            if let Some((declaration, outcome)) = found {
                better = Some((declaration.clone(), outcome));
                break;
            }
        }
        match better {
            Some(found) => best = found,
            None => break,
        }
    }
    best
}

/// Every declaration that lacks one part.
fn smaller(from: &Declaration) -> Vec<Declaration> {
    let mut all = Vec::new();
    // An inner type alone.
    for index in 0..from.types.len() - 1 {
        if from.types[index].params.is_empty() {
            let mut less = from.clone();
            less.types.truncate(index + 1);
            all.push(less);
        }
    }
    let reached = from.reached_names();
    for (index, ty) in from.types.iter().enumerate() {
        if !reached.contains(&ty.name) {
            continue;
        }
        for word in 0..ty.words.len() {
            let mut less = from.clone();
            less.types[index].words.remove(word);
            all.push(less);
        }
        match &ty.kind {
            Kind::Struct(fields) => {
                // Runs of fields first, then one by one.
                for len in [fields.len() / 2, fields.len() / 4, 1] {
                    if len == 0 || len > 1 && len * 2 > fields.len() + 1 {
                        continue;
                    }
                    for start in 0..=fields.len() - len {
                        if fields.len() == len {
                            continue;
                        }
                        let mut less = from.clone();
                        less.fields(index).drain(start..start + len);
                        all.push(less);
                    }
                }
                for (at, field) in fields.iter().enumerate() {
                    for word in 0..field.words.len() {
                        let mut less = from.clone();
                        less.fields(index)[at].words.remove(word);
                        all.push(less);
                    }
                    if !field.presence.is_empty() {
                        let mut less = from.clone();
                        less.fields(index)[at].presence.clear();
                        all.push(less);
                    }
                }
            }
            Kind::Union { variants, .. } => {
                for variant in 0..variants.len() {
                    let mut less = from.clone();
                    if let Kind::Union { variants, .. } = &mut less.types[index].kind {
                        variants.remove(variant);
                    }
                    all.push(less);
                }
            }
            Kind::Numbers { .. } => {}
        }
    }
    all
}
