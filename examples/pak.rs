//! Quake PAK archives: a table of offsets, and the files that it points to.
//!
//! The file was written by the Python package vgio.

use binfmt_runtime::{Auto, BinFormat, Seq};

/// An archive: a header, then bodies and a table of them, anywhere.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, magic = b"PACK")]
pub(crate) struct Pak<'a> {
    dir_at: u32,
    dir_len: Auto<u32>,
    #[bin(at = dir_at, len = dir_len)]
    pub(crate) files: Seq<'a, File>,
    #[bin(for_each = files, at = it.offset, len = it.size)]
    pub(crate) bodies: Vec<&'a [u8]>,
}

/// One row of the table.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
pub(crate) struct File {
    /// The path, with slashes, ended by a NUL unless it fills the field.
    pub(crate) name: [u8; 56],
    /// Where the body lies in the archive; the writer computes it.
    pub(crate) offset: u32,
    /// How long it is; the writer computes it too.
    pub(crate) size: u32,
}

impl File {
    /// A row for a file of that name.
    pub(crate) fn new(name: &str) -> Option<Self> {
        let mut field = [0; 56];
        field.get_mut(..name.len())?.copy_from_slice(name.as_bytes());
        Some(Self { name: field, offset: 0, size: 0 })
    }

    /// The path.
    pub(crate) fn name(&self) -> &[u8] {
        self.name.split(|byte| *byte == 0).next().unwrap_or_default()
    }
}

pub(crate) const FILE: &[u8] = include_bytes!("files/vgio.pak");

fn main() -> std::process::ExitCode {
    binfmt_tool::main_or(&[binfmt_tool::format::<Pak<'_>>("pak")], show)
}

pub(crate) fn show() -> Result<(), Box<dyn std::error::Error>> {
    assert!(Pak::validate(FILE).findings().is_empty(), "{}", Pak::validate(FILE));
    let pak = Pak::parse(FILE)?;
    assert_eq!(pak.to_vec()?, FILE);
    for (file, body) in pak.files.iter().zip(&pak.bodies) {
        println!("{} {} bytes", String::from_utf8_lossy(file?.name()), body.len());
    }
    assert_eq!(pak.bodies, [&b"hello quake"[..], b"bind w +forward\n"]);

    // An archive from nothing, with names and bodies alone.
    let files = [File::new("maps/e1m1.bsp"), File::new("empty"), File::new("a.cfg")];
    let files: Vec<File> = files.into_iter().flatten().collect();
    let bodies = vec![&b"IBSP"[..], b"", b"bind a b"];
    let made = Pak { dir_at: 0, dir_len: Auto::new(), files: Seq::from(&files[..]), bodies };
    let bytes = made.to_vec()?;
    assert!(Pak::validate(&bytes).is_ok(), "{}", Pak::validate(&bytes));
    assert_eq!(Pak::parse(&bytes)?.bodies, made.bodies);
    Ok(())
}
