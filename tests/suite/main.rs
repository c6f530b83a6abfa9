//! The tests of the whole workspace, as one program.

// Helpers.
mod corpus;
mod laws;

// Formats, on real files and on damaged ones.
mod fatbin;
mod fatbin_made;
mod vpt;
