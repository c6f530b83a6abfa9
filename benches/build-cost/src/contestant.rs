//! The same 200 declarations, for four crates.

use std::fmt::Write as _;

/// How many declarations there are.
const STRUCTS: usize = 200;

/// A crate that makes code from declarations.
pub(crate) struct Contestant {
    /// Name of the crate, and of the folder.
    pub(crate) name: &'static str,
    /// Its line in the table of dependencies.
    pub(crate) dependency: &'static str,
    /// What stands before the declarations.
    prelude: &'static str,
    /// What stands before each of them.
    attributes: &'static str,
    lifetime: &'static str,
    /// The length of the bytes at the end, and the bytes.
    tail: &'static str,
    /// Integer types of two, four and eight bytes, unsigned and signed.
    integers: [&'static str; 6],
    /// What is done with a declaration, so that its code is made: read, write and, for ours, check.
    used: &'static str,
}

/// All contestants; the first is ours.
pub(crate) const CONTESTANTS: [Contestant; 4] = [
    Contestant {
        name: "binfmt",
        dependency: "binfmt-runtime = { path = \"RUNTIME\" }",
        prelude: "use binfmt_runtime::{Auto, BinFormat};",
        attributes: "#[derive(BinFormat)]\n#[bin(little)]",
        lifetime: "<'a>",
        tail: "pub len: Auto<u16>,\n    #[bin(len = len)]\n    pub data: &'a [u8],",
        integers: PLAIN,
        used: "let value = TYPE::parse(bytes).ok()?;
    let written = value.to_vec().ok()?;
    TYPE::validate(&written).is_ok().then_some(written)",
    },
    Contestant {
        name: "binrw",
        dependency: "binrw = \"0.15\"",
        prelude: "use binrw::{BinRead, BinWrite, binrw};\nuse std::io::Cursor;",
        // Both derives; as derives alone they would not take `temp`.
        attributes: "#[binrw]\n#[brw(little)]",
        lifetime: "",
        tail: "#[br(temp)]\n    #[bw(calc = data.len() as u16)]\n    len: u16,
    #[br(count = len)]\n    pub data: Vec<u8>,",
        integers: PLAIN,
        used: "let value = TYPE::read(&mut Cursor::new(bytes)).ok()?;
    let mut written = Cursor::new(Vec::new());
    value.write(&mut written).ok()?;
    Some(written.into_inner())",
    },
    Contestant {
        name: "deku",
        dependency: "deku = { version = \"0.20\", default-features = false, features = [\"std\"] }",
        prelude: "use deku::prelude::*;",
        attributes: "#[derive(DekuRead, DekuWrite)]\n#[deku(endian = \"little\")]",
        lifetime: "",
        tail: "#[deku(update = \"self.data.len()\")]\n    pub len: u16,
    #[deku(count = \"len\")]\n    pub data: Vec<u8>,",
        integers: PLAIN,
        used: "let (_, mut value) = TYPE::from_bytes((bytes, 0)).ok()?;
    value.update().ok()?;
    value.to_bytes().ok()",
    },
    Contestant {
        name: "zerocopy",
        dependency: "zerocopy = { version = \"0.8\", features = [\"derive\"] }",
        prelude: "use zerocopy::little_endian::{I16, I32, I64, U16, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};",
        attributes: "#[derive(FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]\n#[repr(C)]",
        lifetime: "",
        // It has no bytes of a length that the file tells.
        tail: "pub len: U16,\n    pub data: [u8; 24],",
        integers: ["U16", "U32", "U64", "I16", "I32", "I64"],
        used: "let (value, _) = TYPE::ref_from_prefix(bytes).ok()?;
    Some(value.as_bytes().to_vec())",
    },
];

const PLAIN: [&str; 6] = ["u16", "u32", "u64", "i16", "i32", "i64"];

impl Contestant {
    /// The whole crate root.
    pub(crate) fn source(&self) -> String {
        let mut out = format!("{}\n", self.prelude);
        (0..STRUCTS).for_each(|index| self.declaration(&mut out, index));
        out
    }

    /// One declaration of ten fields, the first seven in an order of their own.
    fn declaration(&self, out: &mut String, index: usize) {
        let [u16_, u32_, u64_, i16_, i32_, i64_] = self.integers;
        let mut types = ["u8", u16_, u32_, u64_, i16_, i32_, i64_];
        types.rotate_left(index % 7);
        let attributes = self.attributes;
        // Writing into a `String` cannot fail.
        let _ = writeln!(out, "\n{attributes}\npub struct Type{index}{} {{", self.lifetime);
        for (field, ty) in types.iter().enumerate() {
            let _ = writeln!(out, "    pub field_{field}: {ty},");
        }
        let _ = writeln!(out, "    pub array: [u8; {}],\n    {}\n}}", 4 + index % 5, self.tail);
        let used = self.used.replace("TYPE", &format!("Type{index}"));
        let _ = writeln!(
            out,
            "\npub fn use_{index}(bytes: &[u8]) -> Option<Vec<u8>> {{\n    {used}\n}}"
        );
    }
}
