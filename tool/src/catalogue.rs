//! Catalogues: what is in many files as one table, for engines that query tables.
//!
//! One row stands for one item, as `list` shows it, and one row without a `kind` for each file, with
//! what is wrong with it. Rows come in batches while files are read, so that the memory does not grow
//! with their number.

mod columns;
#[cfg(feature = "catalogue")]
pub(crate) mod parquet;
mod row;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use rayon::prelude::*;

use crate::driver::{Driver, Options};
use crate::files::Files;
use crate::input::Input;
use crate::item::{Item, Measured};
use crate::names::Names;
use crate::nest::{self, Content, Limits, Visitor};
use crate::paths::shown;
use crate::recognise;
use crate::toolbox::Toolbox;

use columns::Columns;
pub use columns::schema;
use row::{Problem, Row, problems};

/// How many rows are handed over together.
const BATCH: usize = 4096;

/// How many batches may wait for a reader.
const WAITING: usize = 2;

/// What a catalogue says of each file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Contents {
    /// Whether items have their digests, for which each is decoded.
    pub hash: bool,
    /// Whether payloads are decoded to check them.
    pub check: bool,
}

/// The rows of a catalogue, in batches.
#[derive(Debug)]
pub struct Catalogue {
    batches: Option<Receiver<Result<RecordBatch, ArrowError>>>,
    worker: Option<JoinHandle<()>>,
    schema: SchemaRef,
}

impl Catalogue {
    /// The catalogue of all files below some paths, and of the files inside them, in the order of
    /// their names.
    ///
    /// # Errors
    ///
    /// The thread that reads files cannot be started.
    pub fn new(
        paths: Vec<PathBuf>,
        toolbox: &Toolbox,
        contents: Contents,
    ) -> std::io::Result<Self> {
        let (to, batches) = sync_channel(WAITING);
        let toolbox = toolbox.clone();
        let work = move || Worker::new(&toolbox, contents, &to).catalogue(&paths);
        let worker = std::thread::Builder::new().name("catalogue".to_owned()).spawn(work)?;
        Ok(Self { batches: Some(batches), worker: Some(worker), schema: schema() })
    }
}

impl Iterator for Catalogue {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Ok(batch) = self.batches.as_ref()?.recv() {
            return Some(batch);
        }
        // The other end is gone: its work is done, or it was interrupted.
        self.batches = None;
        let ended = self.worker.take().map_or(Ok(()), JoinHandle::join);
        let interrupted = || ArrowError::ExternalError("the catalogue ended early".into());
        ended.err().map(|_| Err(interrupted()))
    }
}

impl RecordBatchReader for Catalogue {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

/// Reads files and sends their rows.
struct Worker<'w> {
    toolbox: &'w Toolbox,
    contents: Contents,
    options: Options,
    columns: Columns,
    to: &'w SyncSender<Result<RecordBatch, ArrowError>>,
    /// Whether somebody still takes rows.
    open: bool,
    /// The file that is read, and what could not be looked at in it.
    outer: PathBuf,
    skipped: Vec<Problem>,
}

impl<'w> Worker<'w> {
    fn new(
        toolbox: &'w Toolbox,
        contents: Contents,
        to: &'w SyncSender<Result<RecordBatch, ArrowError>>,
    ) -> Self {
        let options = Options { decode: contents.check, ..Options::default() };
        let (outer, skipped) = (PathBuf::new(), Vec::new());
        Self {
            toolbox,
            contents,
            options,
            columns: Columns::default(),
            to,
            open: true,
            outer,
            skipped,
        }
    }

    fn catalogue(mut self, paths: &[PathBuf]) {
        let found = Files::below(paths);
        for (path, _) in &found.files {
            if !self.open {
                return;
            }
            match Input::open(path) {
                Ok(input) => self.file(&input),
                Err(trouble) => self.unreadable(shown(path), trouble.to_string()),
            }
        }
        for trouble in &found.troubles {
            let path = trouble.split_once(": ").map_or("", |(path, _)| path);
            self.unreadable(path.to_owned(), trouble.clone());
        }
        self.send();
    }

    fn file(&mut self, input: &Input) {
        input.path().clone_into(&mut self.outer);
        self.skipped = Vec::new();
        nest::visit(input.path(), input, &mut Limits::default(), self);
        if nest::Kind::of(input).is_some() && self.toolbox.choose(input, None).is_none() {
            // What was found in an archive has rows of its own.
            let problems = std::mem::take(&mut self.skipped);
            let verdict = if problems.is_empty() { "archive" } else { "skipped" };
            self.whole(input, None, verdict, problems);
        }
    }

    fn unreadable(&mut self, file: String, message: String) {
        let problems = vec![Problem::of_file("unreadable", message)];
        self.push(&Row { file, verdict: "unreadable", problems, ..Row::default() });
    }

    /// The row of a file that has no items.
    fn whole(
        &mut self,
        bytes: &[u8],
        member: Option<&str>,
        verdict: &'static str,
        problems: Vec<Problem>,
    ) {
        let row = Row { file: shown(&self.outer), verdict, problems, ..Row::default() };
        self.push(&Row { member: member.map(str::to_owned), ..row.with_len(bytes) });
    }

    /// The rows of a file of a known format.
    fn known(&mut self, path: &Path, bytes: &[u8], driver: &dyn Driver) {
        let member = self.member(path);
        let checked = driver.validate(bytes, &self.options);
        let (problems, left_out) = problems(&checked.report);
        let of_file = Row {
            file: shown(&self.outer),
            member,
            format: Some(driver.name()),
            variant: checked.variant.clone(),
            verdict: checked.verdict(),
            problems,
            left_out,
            ..Row::default()
        };
        self.push(&of_file.clone().with_len(bytes));
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let items = Names::give_all(driver.list(bytes, &stem, &self.options));
        // A file may have many items; what was measured of them need not wait for all.
        for items in items.chunks(BATCH) {
            let Contents { hash, check } = self.contents;
            let measure = |item: &Item<'_>| item.measure(check, hash);
            let measured: Vec<Measured> = items.par_iter().map(measure).collect();
            for (item, measured) in items.iter().zip(&measured) {
                if !self.open {
                    return;
                }
                let row = of_file.of_item(item, measured);
                self.push(&row);
            }
        }
    }

    /// What a file inside the one that is read is called there.
    fn member(&self, path: &Path) -> Option<String> {
        (path != self.outer).then(|| shown(&nest::inner_name(&self.outer, path)))
    }

    fn push(&mut self, row: &Row) {
        self.columns.push(row);
        if self.columns.len() >= BATCH {
            self.send();
        }
    }

    fn send(&mut self) {
        if self.columns.len() > 0 {
            self.open &= self.to.send(self.columns.finish()).is_ok();
        }
    }
}

impl Visitor for Worker<'_> {
    fn file(&mut self, path: &Path, bytes: &[u8], unpacked: Option<&Arc<Content>>) -> bool {
        if !self.open {
            return true;
        }
        let toolbox = self.toolbox;
        match toolbox.choose(bytes, None) {
            Some(driver) => {
                self.known(path, bytes, driver);
                true
            }
            None => {
                // Files of other formats are told where they were given, not inside archives.
                if unpacked.is_none() && nest::Kind::of(bytes).is_none() {
                    let report = recognise::report(bytes, false);
                    let verdict = if report.is_ok() { "nothing" } else { "unrecognised" };
                    self.whole(bytes, None, verdict, problems(&report).0);
                }
                false
            }
        }
    }

    fn skipped(&mut self, path: &Path, why: &str) {
        let message = format!("{} is skipped: {why}", shown(path));
        self.skipped.push(Problem::of_file("skipped", message));
    }
}
