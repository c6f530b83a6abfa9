//! The program, as a user calls it.

use std::process::{Command, Output, Stdio};

pub(crate) fn binfmt(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_binfmt")).args(args).stdin(Stdio::null()).output().unwrap()
}

/// What is printed, and what is said beside it.
#[track_caller]
pub(crate) fn exits(code: i32, args: &[&str]) -> (String, String) {
    let output = binfmt(args);
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert_eq!(output.status.code(), Some(code), "{args:?}: {out}{err}");
    (out, err)
}

/// What is said beside what is printed.
#[track_caller]
pub(crate) fn says(code: i32, args: &[&str]) -> String {
    let output = binfmt(args);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}
