//! Files as wholes: what they are, what is wrong with them, what is in them.

use std::ffi::OsString;
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use binfmt_tool::driver::{Driver, Options};
use binfmt_tool::filter::Filter;
use binfmt_tool::input::Input;
use binfmt_tool::library;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde_json::Value;

use crate::toolbox;
use crate::values::to_python;

/// The largest payload that is decoded, in bytes, unless it is said.
const MAX_DECODED: u64 = 256 << 20;

/// Opens a file, or a file inside another one.
pub(crate) fn open(py: Python<'_>, path: &Path) -> PyResult<Input> {
    py.detach(|| Input::open(path)).map_err(|trouble| {
        // Python has classes for what systems say about files.
        match File::open(path).and_then(|file| file.metadata()) {
            Err(error) if !(error.kind() == ErrorKind::NotFound && is_member(path)) => {
                let path = path.to_string_lossy().into_owned();
                PyOSError::new_err((error.raw_os_error(), error.to_string(), path))
            }
            _ => PyOSError::new_err(trouble.to_string()),
        }
    })
}

/// Whether a path names a file inside one that exists.
fn is_member(path: &Path) -> bool {
    let text = path.to_string_lossy();
    text.split_once('!').is_some_and(|(outer, _)| Path::new(outer).is_file())
}

/// The error of that name in `binfmt.errors`.
pub(crate) fn error<'py, A>(py: Python<'py>, name: &str, args: A) -> PyErr
where
    A: pyo3::call::PyCallArgs<'py>,
{
    let made = py.import("binfmt.errors").and_then(|module| module.getattr(name)?.call1(args));
    match made {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// The format of a file, or the error that says what it is instead.
pub(crate) fn choose(
    py: Python<'_>,
    input: &Input,
    format: Option<&str>,
) -> PyResult<&'static dyn Driver> {
    let toolbox = toolbox();
    if let Some(name) = format.filter(|name| !toolbox.names().contains(name)) {
        let names = toolbox.names().join(", ");
        return Err(PyValueError::new_err(format!(
            "no format is called {name}; there are {names}"
        )));
    }
    let driver = py.detach(|| toolbox.choose(input, format));
    driver.ok_or_else(|| {
        let why = library::unrecognised(input);
        error(py, "UnrecognisedError", (input.name(), why))
    })
}

/// What a file is.
#[pyfunction]
pub(crate) fn identify(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyAny>> {
    let input = open(py, &path)?;
    let line = py.detach(|| toolbox().identify(&input));
    to_python(py, &line)
}

/// What is wrong with a file.
#[pyfunction]
#[pyo3(signature = (path, format = None, decode = true, max_decoded = MAX_DECODED))]
pub(crate) fn validate(
    py: Python<'_>,
    path: PathBuf,
    format: Option<String>,
    decode: bool,
    max_decoded: u64,
) -> PyResult<Bound<'_, PyAny>> {
    let input = open(py, &path)?;
    if format.is_some() {
        choose(py, &input, format.as_deref())?;
    }
    let options = Options { decode, max_decoded };
    let line = py.detach(|| toolbox().validate(&input, format.as_deref(), &options));
    to_python(py, &line)
}

/// The files in an archive that are of a known format, and what could not be looked at.
#[pyfunction]
pub(crate) fn members(py: Python<'_>, path: PathBuf) -> PyResult<(Vec<OsString>, Vec<String>)> {
    let input = open(py, &path)?;
    let (members, skipped) = py.detach(|| toolbox().members(&input));
    Ok((members.into_iter().map(PathBuf::into_os_string).collect(), skipped))
}

/// What is in a file, with what is wrong with it.
#[pyfunction]
#[pyo3(signature = (path, format, filters, check, digests, max_decoded = MAX_DECODED))]
pub(crate) fn items(
    py: Python<'_>,
    path: PathBuf,
    format: Option<String>,
    filters: Vec<String>,
    check: bool,
    digests: bool,
    max_decoded: u64,
) -> PyResult<Bound<'_, PyDict>> {
    let input = open(py, &path)?;
    let driver = choose(py, &input, format.as_deref())?;
    let options = Options { decode: check, max_decoded };
    let listed: Vec<Value> = py.detach(|| {
        let items = library::items(&input, driver, &options, &Filter(filters));
        items.iter().map(|item| item.to_json(&item.measure(check, digests))).collect()
    });
    let checked = py.detach(|| toolbox().validate(&input, format.as_deref(), &options));
    let line = PyDict::new(py);
    for (key, value) in checked.as_object().into_iter().flatten() {
        line.set_item(key, to_python(py, value)?)?;
    }
    let items = PyList::empty(py);
    listed.iter().try_for_each(|item| items.append(to_python(py, item)?))?;
    line.set_item("items", items)?;
    Ok(line)
}
