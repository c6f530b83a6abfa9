//! Tensors where they lie: as views of the mapped file.

use std::path::PathBuf;
use std::sync::Arc;

use binfmt_tool::driver::Options;
use binfmt_tool::input::Input;
use binfmt_tool::library;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::file::{choose, error, open};

/// A tensor of a file.
#[pyclass(frozen, module = "binfmt._binfmt")]
pub(crate) struct Tensor {
    /// Its name in the file.
    #[pyo3(get)]
    name: String,
    /// The path of its declaration.
    #[pyo3(get)]
    path: String,
    /// The type of the elements, such as `f32`.
    #[pyo3(get)]
    dtype: &'static str,
    shape: Vec<u64>,
    /// Absolute offset of the elements; `None` if they do not lie in the file.
    #[pyo3(get)]
    offset: Option<usize>,
    /// How many bytes they take there.
    #[pyo3(get)]
    nbytes: usize,
    view: Option<View>,
    /// Keeps the file mapped.
    input: Arc<Input>,
}

/// How `NumPy` looks at the elements.
struct View {
    kind: String,
    shape: Vec<u64>,
    strides: Option<Vec<u64>>,
}

#[pymethods]
impl Tensor {
    /// Size in every dimension.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.shape)
    }

    /// The array interface of `NumPy`, version 3: read-only, without a copy. An array that is made
    /// of it keeps this object, and this object the file.
    #[getter(__array_interface__)]
    fn array_interface<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (Some(view), Some(offset)) = (&self.view, self.offset) else {
            let why = format!("the elements of {} do not lie in this file", self.name);
            return Err(error(py, "ExternalTensorError", (self.input.name(), why)));
        };
        let bytes = self.input.get(offset..).unwrap_or_default();
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("typestr", &view.kind)?;
        interface.set_item("shape", PyTuple::new(py, &view.shape)?)?;
        interface.set_item("data", (bytes.as_ptr().expose_provenance(), true))?;
        match &view.strides {
            Some(strides) => interface.set_item("strides", PyTuple::new(py, strides)?)?,
            None => interface.set_item("strides", py.None())?,
        }
        Ok(interface)
    }

    fn __repr__(&self) -> String {
        format!("<Tensor {} {}{:?}>", self.name, self.dtype, self.shape)
    }
}

/// Every tensor of a file, without touching the elements.
#[pyfunction]
pub(crate) fn tensors(
    py: Python<'_>,
    path: PathBuf,
    format: Option<String>,
) -> PyResult<Vec<Tensor>> {
    let input = Arc::new(open(py, &path)?);
    let driver = choose(py, &input, format.as_deref())?;
    let found: Result<Vec<Tensor>, String> = py.detach(|| {
        let tensors = driver.tensors(&input, &Options::default())?;
        tensors.iter().filter_map(|tensor| of(&input, tensor).transpose()).collect()
    });
    found.map_err(|why| error(py, "Error", (input.name(), why)))
}

/// One tensor; `None` for a blob beside them.
fn of(input: &Arc<Input>, tensor: &binfmt_tool::Tensor<'_>) -> Result<Option<Tensor>, String> {
    let Some(dtype) = tensor.dtype else { return Ok(None) };
    let place = tensor.bytes.map(|bytes| (bytes.as_ptr().addr(), bytes.len()));
    let offset = place.and_then(|(at, _)| at.checked_sub(input.as_ptr().addr()));
    let nbytes = place.map_or(0, |(_, len)| len);
    let inside =
        offset.filter(|offset| offset.checked_add(nbytes).is_some_and(|end| end <= input.len()));
    let view = inside.map(|_| view(tensor, dtype, nbytes)).transpose();
    let named = |why: &str| format!("{}: {why}", tensor.name);
    Ok(Some(Tensor {
        name: tensor.name.clone(),
        path: tensor.path.clone(),
        dtype,
        shape: tensor.shape.clone(),
        offset: inside,
        nbytes,
        view: view.map_err(named)?,
        input: Arc::clone(input),
    }))
}

fn view(
    tensor: &binfmt_tool::Tensor<'_>,
    dtype: &str,
    nbytes: usize,
) -> Result<View, &'static str> {
    let nbytes = u64::try_from(nbytes).unwrap_or(u64::MAX);
    let count = tensor.shape.iter().try_fold(1_u64, |count, size| count.checked_mul(*size));
    let count = count.ok_or("it has more elements than can be counted")?;
    let size = nbytes.checked_div(count).unwrap_or(1);
    if size == 0 || size.checked_mul(count) != Some(nbytes) {
        // Elements of less than a byte each.
        return Ok(View { kind: "|V1".to_owned(), shape: vec![nbytes], strides: None });
    }
    let known = library::numpy_type(dtype).filter(|kind| kind.get(2..) == Some(&size.to_string()));
    let kind = match known {
        Some(kind) => kind.to_owned(),
        None if count == 0 => library::numpy_type(dtype).unwrap_or("|V1").to_owned(),
        None => format!("|V{size}"),
    };
    let strides = strides(tensor, size)?;
    Ok(View { kind, shape: tensor.shape.clone(), strides })
}

/// How far neighbours lie apart in each dimension, in bytes; `None` if they lie row by row.
fn strides(tensor: &binfmt_tool::Tensor<'_>, size: u64) -> Result<Option<Vec<u64>>, &'static str> {
    let in_rows = |(at, dim): (usize, &u8)| at == usize::from(*dim);
    if tensor.order.iter().enumerate().all(in_rows) {
        return Ok(None);
    }
    let wrong = "its order of dimensions does not fit its sizes";
    let mut strides = vec![0; tensor.shape.len()];
    let mut stride = size;
    for dim in tensor.order.iter().rev().map(|dim| usize::from(*dim)) {
        let (Some(place), Some(sizes)) = (strides.get_mut(dim), tensor.shape.get(dim)) else {
            return Err(wrong);
        };
        *place = stride;
        stride = stride.checked_mul((*sizes).max(1)).ok_or(wrong)?;
    }
    if strides.contains(&0) || tensor.order.len() != tensor.shape.len() {
        return Err(wrong);
    }
    Ok(Some(strides))
}
