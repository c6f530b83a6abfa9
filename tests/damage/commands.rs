//! Every command of the program on damaged files: it ends, with an exit status that is documented.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::subjects;

/// The commands that read a file, with what they write in the folder `out`.
const COMMANDS: [&str; 17] = [
    "inspect",
    "inspect --json",
    "validate",
    "list",
    "list --json --hash",
    "scan",
    "extract --force -o out/items",
    "extract --force --npy -o out/items",
    "rewrite -o out/same",
    "metadata",
    "metadata --set description=x -o out/other",
    "edit --align 64 -o out/other",
    "edit --upgrade -o out/other",
    "convert --to safetensors -o out/other",
    "convert --to ptd --skip -o out/other",
    "convert --to rten1 -o out/other",
    "convert --to rten2 -o out/other",
];

/// Of the damaged files every so many-th is read.
const STEP: usize = 6;

/// No command takes longer, which is a thousand times what most of them take.
const SLOW: Duration = Duration::from_secs(20);

#[test]
fn every_command_ends_on_damaged_files() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("out")).unwrap();
    let mut files: Vec<(String, Vec<u8>)> =
        subjects::ALL.iter().flat_map(kept_and_damaged).collect();
    files.sort();
    let files: Vec<_> = files.iter().step_by(STEP).collect();
    assert!(files.len() > 60, "{} files", files.len());
    for (name, bytes) in files {
        fs::write(dir.path().join("input"), bytes).unwrap();
        for command in COMMANDS {
            let mut program = Command::new(env!("CARGO_BIN_EXE_binfmt"));
            program.args(command.split(' ')).arg("input").current_dir(dir.path());
            let said = fs::File::create(dir.path().join("said")).unwrap();
            program.stdin(Stdio::null()).stdout(said.try_clone().unwrap()).stderr(said);
            let code = ends(&mut program);
            let said = fs::read(dir.path().join("said")).unwrap();
            let said = String::from_utf8_lossy(&said);
            assert!(matches!(code, Some(0..=2)), "{command} {name}: {code:?}\n{said}");
            assert!(code == Some(0) || !said.is_empty(), "{command} {name}: no message");
        }
    }
}

/// The files that were damaged on purpose, and those that fuzzing has kept.
fn kept_and_damaged(subject: &subjects::Subject) -> Vec<(String, Vec<u8>)> {
    let mut files = subject.files();
    files.retain(|(name, _)| name.starts_with("negative/"));
    let folder = subjects::root().join("fuzz/kept").join(subject.name);
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        files.push((path.display().to_string(), fs::read(&path).unwrap()));
    }
    files
}

/// The exit status, if the program ends.
fn ends(program: &mut Command) -> Option<i32> {
    let mut child = program.spawn().unwrap();
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        if start.elapsed() > SLOW {
            child.kill().unwrap();
            child.wait().unwrap();
            return None;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}
