//! The formats, as the program uses them.

#[cfg(test)]
pub(crate) mod fake;
pub(crate) mod fatbin;
pub(crate) mod ptd;
pub(crate) mod rten;
pub(crate) mod vpt;
