//! Bundled programs (`.bpte`): a program with inputs and outputs to test it with.

use binfmt_runtime::{Auto, BinFormat, FlatBuffer, Rules, Show, path};

use super::HEADER_MAGIC;

/// What stands at offset 4 of every bundle.
pub const MAGIC: [u8; 4] = *b"BP08";

/// A bundle. It is no program itself: a runtime refuses it, and its tools take the program out.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, rules = holds_a_program, spec = "executorch bundled_program_schema.fbs")]
pub struct Bundle<'a> {
    /// Where the root table is, from the first byte of the file.
    root: Auto<u32>,
    /// Says that it is a bundle.
    #[bin(check(
        is_bundle(identifier),
        "the file does not say `BP08`",
        code = "bpte.bundle.identifier.magic"
    ))]
    pub identifier: [u8; 4],
    /// The tables of the bundle.
    #[bin(until_end, root = root)]
    pub tables: FlatBuffer<'a, BundledProgram<'a>>,
}

/// The root of a bundle; the tests (slot 1) are not declared.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, spec = "executorch bundled_program_schema.fbs, BundledProgram")]
pub struct BundledProgram<'a> {
    /// Version of the schema.
    #[bin(slot = 0)]
    pub version: u32,
    /// A whole `.pte` file.
    #[bin(slot = 2)]
    pub program: Option<&'a [u8]>,
}

impl<'a> Bundle<'a> {
    /// Whether bytes are meant as a bundle, damaged or not.
    pub fn is_meant(bytes: &[u8]) -> bool {
        bytes.get(4..).is_some_and(|rest| rest.starts_with(&MAGIC))
    }

    /// The `.pte` file in the bundle, if there is one.
    pub fn program(&self) -> Option<&'a [u8]> {
        self.tables.root().ok()?.program
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "rules pass fields by reference")]
fn is_bundle(identifier: &[u8; 4]) -> bool {
    *identifier == MAGIC
}

binfmt_runtime::rule_table! {
    /// The rules of bundles that are checked by hand.
    pub const RULES;
    "executorch bundled_program_schema.fbs" {
        HEADER: error "bpte.bundle.identifier.header", "the file says that it is a bundle, and has the header of a program; a runtime refuses it";
        EMPTY: error "bpte.bundled-program.program.missing", "there is no program in the bundle";
    }
}

/// A rule by hand, for the file and the tables in it are compared.
fn holds_a_program(bundle: &Bundle<'_>, rules: &mut Rules<'_>) {
    if bundle.tables.bytes().starts_with(&HEADER_MAGIC) {
        let mut at = rules.at(&path!(Bundle.identifier));
        at.report(&HEADER, Show::Nothing, Show::Nothing);
    } else if bundle.tables.root().is_ok_and(|root| root.program.is_none()) {
        let mut at = rules.at(&path!(Bundle.tables, BundledProgram.program));
        at.report(&EMPTY, Show::Nothing, Show::Nothing);
    }
}
