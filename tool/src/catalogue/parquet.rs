//! `binfmt scan --parquet`: a catalogue as one file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use arrow_array::{Array as _, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use super::{Catalogue, Contents, schema};
use crate::output::{Out, Outcome, Trouble};
use crate::save::{Existing, save_with};
use crate::toolbox::Toolbox;

/// Writes the catalogue of all files below some paths; the outcome is that of the worst file.
pub(crate) fn write(
    paths: &[PathBuf],
    path: &Path,
    contents: Contents,
    toolbox: &Toolbox,
    out: &Out<'_>,
) -> Result<Outcome, Trouble> {
    let existing = if out.replaces() { Existing::Replace } else { Existing::Keep };
    // The user named this path, so a link is followed to the file that is to change.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if existing == Existing::Keep && target.exists() {
        let path = path.display();
        return Err(Trouble::new(format!("{path}: this file exists; --force replaces it")));
    }
    let catalogue = Catalogue::new(paths.to_vec(), toolbox, contents);
    let catalogue = catalogue.map_err(|error| Trouble::writing("the catalogue", &error))?;
    let mut worst = Outcome::Good;
    let saved = save_with(&target, existing, |file, _| -> Result<(), io::Error> {
        let level = ZstdLevel::try_new(3).map_err(failed)?;
        let properties =
            WriterProperties::builder().set_compression(Compression::ZSTD(level)).build();
        let mut writer = ArrowWriter::try_new(file, schema(), Some(properties)).map_err(failed)?;
        for batch in catalogue {
            let batch = batch.map_err(io::Error::other)?;
            worst = worst.max(outcome(&batch));
            writer.write(&batch).map_err(failed)?;
        }
        writer.close().map(|_| ()).map_err(failed)
    });
    saved.map_err(|error| Trouble::writing_file(path, &error))?;
    Ok(worst)
}

fn failed(error: ParquetError) -> io::Error {
    io::Error::other(error)
}

/// How the worst file of a batch is.
fn outcome(batch: &RecordBatch) -> Outcome {
    let verdicts = batch.column_by_name("verdict");
    let verdicts = verdicts.and_then(|column| column.as_any().downcast_ref::<StringArray>());
    let of = |verdict: Option<&str>| match verdict {
        Some("valid" | "nothing" | "archive") => Outcome::Good,
        Some("unreadable") | None => Outcome::Trouble,
        Some(_) => Outcome::Bad,
    };
    let decoded =
        batch.column_by_name("error").is_some_and(|errors| errors.null_count() == batch.num_rows());
    let decoded = if decoded { Outcome::Good } else { Outcome::Bad };
    verdicts.map_or(Outcome::Trouble, |verdicts| verdicts.iter().map(of).fold(decoded, Ord::max))
}
