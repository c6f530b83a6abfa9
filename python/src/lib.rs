//! The native part of the Python package `binfmt`: the program's libraries as Python values.
//!
//! What is public, with its documentation, is in `lib/binfmt`; these functions are its own.

mod catalogue;
mod fields;
mod file;
mod tensors;
mod values;

use std::ffi::OsString;
use std::sync::LazyLock;

use binfmt_tool::{Program, Toolbox};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// The program with all its formats.
static PROGRAM: LazyLock<Program> = LazyLock::new(binfmt_cli::program);

fn toolbox() -> &'static Toolbox {
    PROGRAM.toolbox()
}

/// Runs a command of the program: exit code, what it prints, and what it says.
#[pyfunction]
fn call(
    py: Python<'_>,
    args: Vec<OsString>,
) -> (u8, Bound<'_, PyBytes>, Vec<(&'static str, String)>) {
    let called = py.detach(|| PROGRAM.call(args));
    let messages = called.messages.into_iter().map(|said| (said.severity, said.text));
    let messages = messages.collect();
    (called.outcome.code(), PyBytes::new(py, &called.output), messages)
}

/// Runs the program itself, with the terminal of the process.
#[pyfunction]
fn run(py: Python<'_>, args: Vec<OsString>) -> u8 {
    py.detach(|| PROGRAM.run_to_end(args).code())
}

#[pymodule]
mod _binfmt {
    #[pymodule_export]
    use super::{call, run};
    #[pymodule_export]
    use crate::catalogue::{Catalogue, catalogue};
    #[pymodule_export]
    use crate::fields::fields;
    #[pymodule_export]
    use crate::file::{identify, items, members, validate};
    #[pymodule_export]
    use crate::tensors::{Tensor, tensors};
}
