//! All laws on made-up declarations, which `build.rs` writes from the seeds in `tests/seeds`.

#[allow(warnings, clippy::all, reason = "the code is made up")]
mod batch {
    use binfmt_declarations::prelude::*;

    include!(concat!(env!("OUT_DIR"), "/batch.rs"));

    pub fn run(run: &mut Run) {
        all(run);
    }
}

use binfmt_declarations::run::{Effort, Run};

#[test]
fn all_laws_hold_on_made_up_declarations() {
    let mut run = Run::new(Effort { values: 30, damaged: 20, large: false });
    batch::run(&mut run);
    let broken: Vec<String> =
        run.broken.iter().map(|(name, law)| format!("{name}: {law}")).collect();
    assert!(broken.is_empty(), "{}", broken.join("\n\n"));
    assert!(run.written > 20 * 60, "only {} values were written", run.written);
}

#[test]
fn large_values_and_files_cost_what_their_bytes_allow() {
    let mut run = Run::new(Effort { values: 0, damaged: 0, large: true });
    batch::run(&mut run);
    let broken: Vec<String> =
        run.broken.iter().map(|(name, law)| format!("{name}: {law}")).collect();
    assert!(broken.is_empty(), "{}", broken.join("\n\n"));
    assert!(run.written >= 20, "only {} declarations have large files", run.written);
}
