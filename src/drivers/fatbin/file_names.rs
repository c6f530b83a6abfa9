//! What extracted files are called: as cuobjdump calls them.

use std::collections::HashMap;

/// Counts the items of one file, to number those that have no name.
#[derive(Debug)]
pub(super) struct FileNames {
    /// The file's name without its extension.
    stem: String,
    counts: HashMap<String, u64>,
}

impl FileNames {
    pub(super) fn new(stem: &str) -> Self {
        Self { stem: stem.to_owned(), counts: HashMap::new() }
    }

    /// The name of the next item: `<stem>.<n>.<arch>.cubin`, or `<identifier>.<arch>.cubin`.
    ///
    /// All ELF items of a file are numbered together, and so is all PTX.
    pub(super) fn next(&mut self, kind: &str, arch: &str, identifier: Option<&[u8]>) -> String {
        let (counted, extension) = match kind {
            "elf" => (kind, "cubin"),
            "ptx" | "reloc-ptx" => ("ptx", "ptx"),
            other => (other, other),
        };
        let count = self.counts.entry(counted.to_owned()).or_default();
        *count += 1;
        // Cuobjdump shows the family suffix of PTX only.
        let arch = if kind == "elf" { arch.strip_suffix('f').unwrap_or(arch) } else { arch };
        match identifier.map(String::from_utf8_lossy).as_deref().map(stem_of) {
            Some(identifier) if !identifier.is_empty() => {
                format!("{identifier}.{arch}.{extension}")
            }
            _ => format!("{}.{count}.{arch}.{extension}", self.stem),
        }
    }
}

/// An identifier is usually the name of a source file.
fn stem_of(identifier: &str) -> &str {
    match identifier.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => identifier,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_cuobjdump() {
        let mut names = FileNames::new("lib");
        let given = [
            names.next("ptx", "sm_75", None),
            names.next("elf", "sm_90a", None),
            names.next("elf", "sm_100f", None),
            names.next("reloc-ptx", "sm_100f", None),
            names.next("elf", "sm_80", Some(b"k.cu")),
            names.next("elf", "sm_80", Some(b"")),
            names.next("nvvm", "sm_80", None),
        ];
        assert_eq!(
            given,
            [
                "lib.1.sm_75.ptx",
                "lib.1.sm_90a.cubin",
                "lib.2.sm_100.cubin",
                "lib.2.sm_100f.ptx",
                "k.sm_80.cubin",
                "lib.4.sm_80.cubin",
                "lib.1.sm_80.nvvm"
            ]
        );
    }
}
