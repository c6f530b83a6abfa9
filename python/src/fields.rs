//! Every field of a file.

use std::path::PathBuf;

use binfmt_runtime::{NodeValue, Step};
use binfmt_tool::library::{self, Row};
use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::file::{choose, open};

/// The fields of every part of a file: one tree for each field that was chosen.
#[pyfunction]
pub(crate) fn fields(
    py: Python<'_>,
    path: PathBuf,
    format: Option<String>,
    paths: Vec<String>,
    depth: Option<usize>,
    most: usize,
) -> PyResult<Bound<'_, PyList>> {
    let input = open(py, &path)?;
    let driver = choose(py, &input, format.as_deref())?;
    let found = py.detach(|| library::fields(&input, driver, (&paths, depth), most));
    let trees = PyList::empty(py);
    for fields in found.map_err(PyValueError::new_err)? {
        // The lists that take what is inside the field above.
        let mut open: Vec<Bound<'_, PyList>> = Vec::new();
        for row in &fields.rows {
            open.truncate(row.depth);
            let name = match row.path.last() {
                None => fields.part.clone(),
                Some(_) if row.depth == 0 => shown(&row.path),
                Some(step) => step.to_string(),
            };
            let (node, inside) = node(py, row, &name)?;
            open.last().unwrap_or(&trees).append(node)?;
            open.push(inside);
        }
    }
    Ok(trees)
}

/// A path, as findings write it.
fn shown(path: &[Step]) -> String {
    let mut text = String::new();
    for step in path.iter().filter(|step| **step != Step::Field("")) {
        if matches!(step, Step::Field(_)) && !text.is_empty() {
            text.push('.');
        }
        text.push_str(&step.to_string());
    }
    text
}

fn node<'py>(
    py: Python<'py>,
    row: &Row,
    name: &str,
) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyList>)> {
    let node = PyDict::new(py);
    let inside = PyList::empty(py);
    node.set_item("name", name)?;
    node.set_item("type", row.ty)?;
    node.set_item("start", row.start)?;
    node.set_item("end", row.end)?;
    node.set_item("value", row.value.as_ref().map(|value| meaning(py, value)).transpose()?)?;
    node.set_item("damaged", row.value.is_none())?;
    node.set_item("doc", row.doc.trim())?;
    node.set_item("children", &inside)?;
    Ok((node, inside))
}

/// What the bytes of a field mean.
fn meaning<'py>(py: Python<'py>, value: &NodeValue) -> PyResult<Bound<'py, PyAny>> {
    match value {
        NodeValue::Group | NodeValue::Absent => Ok(py.None().into_bound(py)),
        NodeValue::Uint(value) => value.into_bound_py_any(py),
        NodeValue::Int(value) => value.into_bound_py_any(py),
        NodeValue::Float(value) => value.into_bound_py_any(py),
        NodeValue::Bool(value) => value.into_bound_py_any(py),
        NodeValue::Str(text) => text.into_bound_py_any(py),
        NodeValue::Items(count) => count.into_bound_py_any(py),
        NodeValue::Bytes { head, len } if u64::try_from(head.len()) == Ok(*len) => {
            Ok(PyBytes::new(py, head).into_any())
        }
        NodeValue::Bytes { head, len } => {
            let cut = PyDict::new(py);
            cut.set_item("head", PyBytes::new(py, head))?;
            cut.set_item("len", len)?;
            Ok(cut.into_any())
        }
        NodeValue::Enum { number, name } => {
            let named = PyDict::new(py);
            named.set_item("value", number)?;
            named.set_item("name", name)?;
            Ok(named.into_any())
        }
        NodeValue::Flags { bits, names } => {
            let flags = PyDict::new(py);
            flags.set_item("value", bits)?;
            flags.set_item("names", names)?;
            Ok(flags.into_any())
        }
    }
}
