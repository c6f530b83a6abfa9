//! Whether a value has a lazy part that cannot be read: when it is formatted, an [`Error`](crate::Error) is, too.
//!
//! What is formatted says nothing, for a text in a file may look like an error.

use core::cell::Cell;
use core::fmt::{Debug, Error, Result, Write};

std::thread_local! {
    static MET: Cell<bool> = const { Cell::new(false) };
}

/// An error is formatted.
pub(crate) fn met() {
    MET.set(true);
}

/// Whether one is when a value is.
pub(super) fn are_in(value: &impl Debug) -> bool {
    MET.set(false);
    let written = write!(UntilMet, "{value:?}");
    written.is_err() || MET.get()
}

/// Keeps nothing, and takes nothing more behind an error.
struct UntilMet;

impl Write for UntilMet {
    fn write_str(&mut self, _: &str) -> Result {
        if MET.get() { Err(Error) } else { Ok(()) }
    }
}
