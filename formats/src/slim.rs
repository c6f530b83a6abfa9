//! Finished files without the GPU code that wanted devices cannot use.
//!
//! [`plan`] reads a shared library, an object file or bare containers, decides what goes, and says
//! how the new file is made of pieces of the old one; nothing is held in memory but what changes.
//! What cannot be proven harmless is refused.
//!
//! *Observed* of the libraries of NVIDIA, and of what `nvcc` and linkers make of the code of others:
//! every container of `.nv_fatbin` and `__nv_relfatbin` is found by the pointer of one wrapper in
//! `.nvFatBinSegment`, which a relative relocation computes. So containers can move, entries that no
//! wanted device runs can go, and whole pages that nothing uses any more can be taken out of the
//! file, while every address in memory stays.
//!
//! ```no_run
//! use binfmt_formats::slim::{self, Options};
//!
//! let file = std::fs::read("libkernels.so")?;
//! let plan = slim::plan(&file, &Options { devices: vec![90], ..Options::default() })?;
//! let mut new = Vec::new();
//! plan.write(&file, &mut new)?;
//! slim::check(&file, &new, &plan)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod archive;
mod check;
mod choose;
mod code;
mod containers;
mod image;
mod library;
mod object;
mod pack;
mod references;
mod refusal;
mod vendor;

use alloc::vec::Vec;
use core::fmt;
use std::io;

use crate::elf::{Elf, FileKind};
use crate::fatbin::MAGIC;
use crate::host;
use crate::shared::wide;
use binfmt_runtime::BinFormat;

pub use archive::Inside;
pub use check::check;
pub use choose::{Code, Fate};
pub use containers::{Found, Member, Pin};
pub use image::Piece;
pub use refusal::{RULES, Refusal};
pub use vendor::is_of_nvidia;

use image::Image;
use references::Reference;
use refusal::{BYTE_ORDER, DAMAGED, KIND, PROGRAM};

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Options {
    /// The devices that are to be kept: 90 for compute capability 9.0.
    pub devices: Vec<u32>,
    /// Which PTX is kept.
    pub ptx: Ptx,
    /// What becomes of the room.
    pub mode: Mode,
}

/// Which PTX is kept, of what wanted devices could compile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Ptx {
    /// What a wanted device needs that has no other code in the container.
    #[default]
    Needed,
    /// All of it, that for other devices too.
    All,
    /// None.
    None,
}

/// What becomes of the room of entries that go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Mode {
    /// It is taken out of the file.
    #[default]
    Pack,
    /// It is filled with zeros, and everything else stays where it is.
    Zero,
}

/// What is worth saying about a new file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// A container that stays lies behind pages that are taken out, so the header of its section
    /// cannot be true; tools that move sections would break the file.
    Hole(alloc::string::String),
    /// Fewer than four program headers can be added by other tools.
    NoSpare,
    /// A member of an archive stays as it is, since it is refused.
    Left(Refusal),
}

/// What would be done to a file.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Every container, in the order of the file.
    pub containers: Vec<Found>,
    /// What is worth saying.
    pub notes: Vec<Note>,
    /// Whether anything goes; if not, the new file is the old one.
    pub changes: bool,
    /// The members of an archive; none in other files.
    pub inside: Vec<Inside>,
    pieces: Vec<Piece>,
    references: Vec<Reference>,
    /// The ranges of the old file that are not copied to their places, in order, and whether zeros
    /// lie there now.
    changed: Vec<(core::ops::Range<u64>, bool)>,
}

/// A plan before its pieces are put together.
struct Draft {
    containers: Vec<Found>,
    references: Vec<Reference>,
    notes: Vec<Note>,
    /// None where there is nothing to win.
    image: Option<Image>,
}

impl Draft {
    fn unchanged(containers: Vec<Found>) -> Self {
        Self { containers, references: Vec::new(), notes: Vec::new(), image: None }
    }

    fn changed(containers: Vec<Found>, image: Image) -> Self {
        Self { image: Some(image), ..Self::unchanged(containers) }
    }
}

impl Plan {
    /// The pieces of the new file, in order.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The length of the new file.
    pub fn new_len(&self) -> u64 {
        self.pieces.iter().map(Piece::len).fold(0, u64::saturating_add)
    }

    /// Writes the new file; `file` is the old one.
    pub fn write(&self, file: &[u8], out: &mut impl io::Write) -> io::Result<()> {
        self.pieces.iter().try_for_each(|piece| write_piece(piece, file, out))
    }
}

/// Writes a piece of a new file; `file` is the old one.
pub fn write_piece(piece: &Piece, file: &[u8], out: &mut impl io::Write) -> io::Result<()> {
    match piece {
        Piece::Bytes(bytes) => out.write_all(bytes),
        Piece::Copy(range) => {
            let bytes = bytes_of(file, range.start, range.end);
            out.write_all(bytes.ok_or(io::ErrorKind::UnexpectedEof)?)
        }
        Piece::Zeros(len) => write_zeros(*len, out),
    }
}

fn write_zeros(mut len: u64, out: &mut impl io::Write) -> io::Result<()> {
    let zeros = alloc::vec![0; usize::try_from(len.min(0x2_0000)).unwrap_or(0)];
    while len > 0 {
        let count = usize::try_from(len).unwrap_or(usize::MAX).min(zeros.len());
        out.write_all(zeros.get(..count).unwrap_or(&zeros))?;
        len = len.saturating_sub(wide(count));
    }
    Ok(())
}

/// Decides what goes from a file, and what the new one is made of.
///
/// # Errors
///
/// If the file is of no kind that can be made smaller, is damaged, or breaks a rule of [`RULES`].
pub fn plan(file: &[u8], options: &Options) -> Result<Plan, Refusal> {
    if file.starts_with(archive::MAGIC) || file.starts_with(archive::THIN_MAGIC) {
        return archive::plan(file, options);
    }
    let draft = if file.starts_with(b"\x7fELF") {
        plan_elf(file, options)?
    } else if file.starts_with(&MAGIC) {
        object::plan_bare(file, options)?
    } else {
        let expected = "an ELF file, an archive or a container";
        return Err(Refusal::new(&KIND, ("", 0), expected, "something else"));
    };
    let changes = draft.image.is_some();
    let image = draft.image.unwrap_or_else(|| Image::new(wide(file.len())));
    Ok(Plan {
        containers: draft.containers,
        notes: draft.notes,
        references: draft.references,
        changes,
        inside: Vec::new(),
        changed: image.changed(),
        pieces: image.pieces()?,
    })
}

fn plan_elf(file: &[u8], options: &Options) -> Result<Draft, Refusal> {
    let damaged =
        |at, error: &dyn fmt::Display| Refusal::new(&DAMAGED, ("", at), "a sound file", error);
    let elf = Elf::parse(file).map_err(|error| damaged(error.finding().start, &error))?;
    if let Some(error) = Elf::validate(file).errors().next() {
        return Err(damaged(error.start, error));
    }
    match elf.kind {
        _ if elf.ident.data != 1 => {
            Err(Refusal::new(&BYTE_ORDER, ("ident.data", 5), 1, elf.ident.data))
        }
        FileKind::Shared => library::plan(file, &elf, options),
        FileKind::Relocatable => object::plan(file, &elf, options),
        FileKind::Executable => Err(Refusal::new(&PROGRAM, ("kind", 16), "Shared", "Executable")),
        other => {
            let found = alloc::format!("{other:?}");
            Err(Refusal::new(&KIND, ("kind", 16), "Shared or Relocatable", found))
        }
    }
}

/// Whether a file that begins so could have device code.
pub fn may_be_host(head: &[u8]) -> bool {
    host::kind_of(head) != host::HostKind::Raw || head.starts_with(&MAGIC)
}

/// Whether a file that is refused could have device code: it has some, or is a damaged library.
pub fn may_have_code(file: &[u8]) -> bool {
    may_be_host(file) && host::device_code_parts(file).map_or(true, |parts| !parts.is_empty())
}

/// A range of a file.
fn bytes_of(file: &[u8], start: u64, end: u64) -> Option<&[u8]> {
    file.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
}
