//! The inputs that fuzzing has kept: every law holds on each of them.

use std::fs;
use std::path::Path;

#[path = "../../fuzz/src/targets.rs"]
#[expect(unreachable_pub, reason = "it is a module of another crate as well")]
mod targets;

#[test]
fn laws_hold_on_every_kept_input() {
    for target in targets::ALL {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/kept").join(target.name);
        let mut count = 0;
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if let Err(broken) = (target.check)(&fs::read(&path).unwrap()) {
                panic!("{}: {broken}", path.display());
            }
            count += 1;
        }
        assert!(count > 0, "nothing is kept of {}", target.name);
        for seed in (target.seeds)() {
            (target.check)(&seed).unwrap();
        }
    }
    assert!(targets::named("words").is_some_and(|words| words.layout.magics().count() == 2));
    assert!(targets::named("pte").is_some_and(|pte| pte.marks.contains(b"ET12")));
}
