//! JSON as Python values.

use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde_json::Value;

/// What is always a number, though JSON has those above 2^53 as texts.
const NUMBERS: [&str; 12] = [
    "start",
    "end",
    "offset",
    "size",
    "stored_size",
    "count",
    "left_out",
    "shape",
    "bytes",
    "flags",
    "blob_offset",
    "segment",
];

/// The same value as dicts, lists, texts and numbers.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Null => Ok(py.None().into_bound(py)),
        Value::Bool(value) => value.into_bound_py_any(py),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => number.into_bound_py_any(py),
            (None, Some(number)) => number.into_bound_py_any(py),
            (None, None) => number.as_f64().into_bound_py_any(py),
        },
        Value::String(text) => text.into_bound_py_any(py),
        Value::Array(items) => {
            let list = PyList::empty(py);
            items.iter().try_for_each(|item| list.append(to_python(py, item)?))?;
            Ok(list.into_any())
        }
        Value::Object(fields) => {
            let dict = PyDict::new(py);
            for (key, value) in fields {
                let is_number = NUMBERS.contains(&key.as_str());
                let value = if is_number { number(py, value) } else { to_python(py, value) };
                dict.set_item(key, value?)?;
            }
            Ok(dict.into_any())
        }
    }
}

/// A number, or a list of numbers, of any size.
fn number<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::String(text) => match text.parse::<i128>() {
            Ok(number) => number.into_bound_py_any(py),
            Err(_) => text.into_bound_py_any(py),
        },
        Value::Array(items) => {
            let list = PyList::empty(py);
            items.iter().try_for_each(|item| list.append(number(py, item)?))?;
            Ok(list.into_any())
        }
        other => to_python(py, other),
    }
}
