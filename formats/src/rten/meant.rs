//! What is a model: version 2 has a magic, version 1 nothing but its tables.

use binfmt_runtime::{BinFormat, FbRef, FbVec, FlatBuffer};

use super::{MAGIC, Metadata, Rten};

/// As much of a model as lies at the start of its file, as the tools write it; vtables that tables
/// share lie at the end.
#[derive(BinFormat)]
#[bin(flatbuffer)]
struct Outline<'a> {
    #[bin(slot = 0)]
    schema_version: i32,
    #[bin(slot = 1, required)]
    graph: GraphOutline<'a>,
    #[bin(slot = 2)]
    #[allow(
        dead_code,
        reason = "looked at only when it is read, and that not without an allocator"
    )]
    metadata: Option<FbRef<'a, Metadata<'a>>>,
}

/// A graph without its nodes.
#[derive(BinFormat)]
#[bin(flatbuffer)]
struct GraphOutline<'a> {
    #[bin(slot = 0)]
    nodes: FbVec<'a, FbRef<'a, Unread>>,
    #[bin(slot = 1)]
    inputs: FbVec<'a, u32>,
    #[bin(slot = 2)]
    outputs: FbVec<'a, u32>,
}

/// A table that is not looked at.
#[derive(BinFormat)]
#[bin(flatbuffer)]
struct Unread {}

impl Rten<'_> {
    /// The version of the file that these bytes are meant as, a damaged one too; `None` if they are
    /// meant as something else. Only version 2 has a magic; a buffer is one of version 1 if its root
    /// looks like a model, and no other format's.
    ///
    /// ```
    /// use binfmt_formats::rten::Rten;
    ///
    /// assert_eq!(Rten::meant_version(b"RTEN\x02"), Some(2));
    /// assert_eq!(Rten::meant_version(b"RT"), None);
    /// ```
    pub fn meant_version(bytes: &[u8]) -> Option<u32> {
        match bytes {
            bytes if bytes.starts_with(&MAGIC) => Some(2),
            bytes if is_version_1(bytes) => Some(1),
            _ => None,
        }
    }
}

/// Whether the file is a buffer whose root looks like a model.
///
/// Nodes may be damaged or cut off, with all that lies behind them.
fn is_version_1(file: &[u8]) -> bool {
    if has_other_identifier(file) {
        return false;
    }
    let Ok(buffer) = FlatBuffer::<Outline<'_>>::parse(file) else { return false };
    let looks_right = |model: &Outline<'_>| {
        // No release wrote another version of the schema, and every graph has lists of inputs and
        // outputs that lead to nodes.
        let nodes = model.graph.nodes.count();
        let mut ends = model.graph.inputs.iter().chain(model.graph.outputs.iter());
        model.schema_version == 1 && ends.all(|end| end.is_ok_and(|end| u64::from(end) < nodes))
    };
    buffer.slots().is_some_and(|slots| slots <= 3) && buffer.root().as_ref().is_ok_and(looks_right)
}

/// Whether the buffer names its schema. That of models has a name too, but no tool stores it.
fn has_other_identifier(file: &[u8]) -> bool {
    let identifier = file.get(4..8).unwrap_or_default();
    identifier.iter().all(u8::is_ascii_graphic) && *identifier != MAGIC
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    fn corpus(name: &str) -> Vec<u8> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/rten/");
        std::fs::read(std::format!("{folder}{name}")).unwrap()
    }

    fn meant(file: &[u8]) -> Option<u32> {
        Rten::meant_version(file)
    }

    #[test]
    fn version_1_is_known_by_its_tables() {
        for name in ["mlp_v1.rten", "mlp_conv040.rten", "add_mul_v1.rten", "quant_v1.rten"] {
            let file = corpus(name);
            assert_eq!(meant(&file), Some(1), "{name}");
            let named = [&file[..4], &MAGIC, &file[8..]].concat();
            let other = [&file[..4], b"ET12", &file[8..]].concat();
            assert_eq!(meant(&other), None, "{name}");
            // Whatever lay there may have been needed.
            assert_ne!(meant(&named), Some(2), "{name}");
        }
    }

    /// Root, metadata and the lists of the graph take some hundred bytes.
    #[test]
    fn version_1_is_known_if_it_is_cut_short() {
        for name in ["mlp_v1.rten", "dtypes_v1.rten", "tied_v1.rten", "mlp_v1_metadata.rten"] {
            let file = corpus(name);
            for len in 400..file.len() {
                assert_eq!(meant(&file[..len]), Some(1), "{name}: {len}");
            }
        }
    }

    #[test]
    fn other_files_are_no_models() {
        for file in [
            &b""[..],
            b"\0\0\0\0",
            &[0; 4096],
            b"PK\x03\x04\x14\0\0\0\0\0",
            b"\x08\x07\x12\x07pytorch\x1a\x05",
            b"RTE",
            &corpus("mlp_v2.rten")[1..],
        ] {
            assert_eq!(meant(file), None);
        }
    }
}
