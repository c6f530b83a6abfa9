//! Fuzz targets that are laws; see README.md.

pub mod targets;
