//! Catalogues as streams of Arrow.

use std::path::PathBuf;
use std::sync::Mutex;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use binfmt_tool::catalogue::{Catalogue as Rows, Contents};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::toolbox;

/// A table that is made while it is read, once.
#[pyclass(frozen, module = "binfmt._binfmt")]
pub(crate) struct Catalogue(Mutex<Option<Rows>>);

#[pymethods]
impl Catalogue {
    /// The stream, in the Arrow C stream interface.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A producer may ignore what was asked for; the consumer casts.
        drop(requested_schema);
        let rows = self.0.lock().map_or(None, |mut rows| rows.take());
        let rows = rows.ok_or_else(|| {
            PyValueError::new_err("the rows of this catalogue were taken; make another one")
        })?;
        let stream = FFI_ArrowArrayStream::new(Box::new(rows));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}

/// The catalogue of all files below some paths.
#[pyfunction]
pub(crate) fn catalogue(paths: Vec<PathBuf>, hash: bool, check: bool) -> PyResult<Catalogue> {
    let rows = Rows::new(paths, toolbox(), Contents { hash, check });
    let rows = rows.map_err(|error| PyOSError::new_err(error.to_string()))?;
    Ok(Catalogue(Mutex::new(Some(rows))))
}
