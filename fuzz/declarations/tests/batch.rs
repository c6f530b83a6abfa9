//! All laws on made-up declarations, which `build.rs` writes from the seeds in `tests/seeds`.

#[allow(warnings, clippy::all, reason = "the code is made up")]
mod batch {
    use binfmt_declarations::prelude::*;

    include!(concat!(env!("OUT_DIR"), "/batch.rs"));
}

use binfmt_declarations::run::{Effort, Run};

/// Runs those declarations.
fn run(effort: Effort, declarations: impl Iterator<Item = &'static fn(&mut Run)>) -> Run {
    let mut run = Run::new(effort);
    declarations.for_each(|declaration| declaration(&mut run));
    let broken: Vec<String> =
        run.broken.iter().map(|(name, law)| format!("{name}: {law}")).collect();
    assert!(broken.is_empty(), "{}", broken.join("\n\n"));
    run
}

#[test]
fn all_laws_hold_on_made_up_declarations() {
    let run = run(Effort { values: 30, damaged: 20, large: false }, batch::ALL.iter());
    assert!(run.written > 20 * 60, "only {} values were written", run.written);
}

/// By halves, which run side by side.
const LARGE: Effort = Effort { values: 0, damaged: 0, large: true };

#[test]
fn large_values_and_files_cost_what_their_bytes_allow() {
    let run = run(LARGE, batch::ALL.iter().step_by(2));
    assert!(run.written >= 10, "only {} declarations have large files", run.written);
}

#[test]
fn large_values_and_files_of_the_others_cost_what_their_bytes_allow() {
    let run = run(LARGE, batch::ALL.iter().skip(1).step_by(2));
    assert!(run.written >= 10, "only {} declarations have large files", run.written);
}
