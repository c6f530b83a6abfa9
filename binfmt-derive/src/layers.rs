//! Every module uses those below it alone.

use std::path::Path;

/// The modules of the derive, the lowest first.
const LAYERS: &[&str] = &[
    "errors", "tokens", "ungroup", "expr", "attr", "parts", "model", "check", "derived", "steps",
    "emit", "fallback", "expand",
];

fn layer(module: &str) -> usize {
    LAYERS.iter().position(|layer| *layer == module).expect(module)
}

/// Looks at all files of a module, given by its file or folder.
fn look(path: &Path, own: usize, seen: &mut usize) {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).unwrap();
        return entries.for_each(|entry| look(&entry.unwrap().path(), own, seen));
    }
    let text = std::fs::read_to_string(path).unwrap();
    for rest in text.split("crate::").skip(1) {
        let used: String = rest.chars().take_while(char::is_ascii_lowercase).collect();
        // `expand`, the highest, names several at once.
        if used.is_empty() {
            continue;
        }
        *seen += 1;
        assert!(layer(&used) <= own, "{} uses `{used}`, which is above it", path.display());
    }
}

#[test]
fn a_module_uses_those_below_it_alone() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut seen = 0;
    for (index, module) in LAYERS.iter().enumerate() {
        look(&source.join(format!("{module}.rs")), index, &mut seen);
        if source.join(module).is_dir() {
            look(&source.join(module), index, &mut seen);
        }
    }
    assert!(seen > 100, "only {seen} uses were seen");
}
