//! What a race is: one product of one format, and who takes part.

/// A product of a format, its test file and its contestants.
#[derive(Debug)]
pub struct Race {
    /// The format.
    pub task: &'static str,
    /// What is done with it.
    pub product: Product,
    /// What costs are given for: an entry, a record, a file.
    pub unit: &'static str,
    /// How many of these the test file has.
    pub count: usize,
    /// Makes the test file.
    pub data: fn(usize) -> Vec<u8>,
    /// The contestants; the first is written by hand and the measure of the others.
    pub contestants: &'static [(&'static str, Run)],
}

/// What is done with a file or a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Product {
    /// Open the file, iterate what is in it, fold every field; payloads are borrowed.
    Read,
    /// The same with values that own what they hold.
    Own,
    /// Say whether everything in it can be read.
    IsValid,
    /// List all violations.
    Validate,
    /// Make the file from the values.
    Write,
}

impl Product {
    /// Its name in tables and results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Own => "own",
            Self::IsValid => "is_valid",
            Self::Validate => "validate",
            Self::Write => "write",
        }
    }

    /// Whether the derived product promises to allocate nothing.
    pub const fn is_free_of_allocations(self) -> bool {
        matches!(self, Self::Read | Self::IsValid)
    }
}

/// The name of `deku` in tables: as `cargo add deku` brings it, or without its default features `bits`
/// and `descriptive-errors`, which make it slower. One program can hold only one of the two.
pub const DEKU: &str = if cfg!(feature = "deku-default") { "deku" } else { "deku-lean" };

/// What a contestant does.
#[derive(Debug, Clone, Copy)]
pub enum Run {
    /// Reads a file and folds what is in it; `None` for a file that it does not accept.
    Read(fn(&[u8]) -> Option<u64>),
    /// Reads a file, and then writes the values as often as it is asked to.
    Write(for<'a> fn(&'a [u8]) -> Option<Writer<'a>>),
}

/// Writes values that are in memory.
pub type Writer<'a> = Box<dyn Fn() -> Option<Vec<u8>> + 'a>;

/// A contestant who has seen the file.
#[allow(missing_debug_implementations, reason = "a closure has nothing to show")]
pub enum Ready<'a> {
    /// Reads this file.
    Read(fn(&[u8]) -> Option<u64>, &'a [u8]),
    /// Writes what was in it.
    Write(Writer<'a>),
}

impl Run {
    /// Does what is not measured.
    ///
    /// # Panics
    ///
    /// Panics if a writer cannot read the values that it is to write.
    pub fn prepare(self, file: &[u8]) -> Ready<'_> {
        match self {
            Self::Read(read) => Ready::Read(read, file),
            Self::Write(write) => Ready::Write(write(file).expect("the file can be read")),
        }
    }
}

impl Ready<'_> {
    /// Does what is measured; whether it went well.
    #[inline]
    pub fn run(&self) -> bool {
        match self {
            Self::Read(read, file) => {
                std::hint::black_box(read(std::hint::black_box(file))).is_some()
            }
            Self::Write(write) => std::hint::black_box(write()).is_some(),
        }
    }
}

impl Race {
    /// The test file, once all contestants have read it and agree on what is in it, or have written
    /// it again byte for byte.
    ///
    /// # Panics
    ///
    /// Panics if they do not.
    pub fn file(&self) -> Vec<u8> {
        let file = (self.data)(self.count);
        let mut sums = Vec::new();
        for (name, run) in self.contestants {
            match run {
                Run::Read(read) => sums.push((*name, read(&file))),
                Run::Write(write) => {
                    let written = write(&file).and_then(|write| write());
                    let same = written.as_deref() == Some(&*file);
                    assert!(
                        same,
                        "{} {}: {name} writes another file",
                        self.task,
                        self.product.name()
                    );
                }
            }
        }
        let what = format_args!("{} {}: {sums:x?}", self.task, self.product.name());
        assert!(sums.iter().all(|(_, sum)| sum.is_some()), "not accepted by all: {what}");
        assert!(sums.windows(2).all(|pair| pair[0].1 == pair[1].1), "contestants disagree: {what}");
        file
    }
}
