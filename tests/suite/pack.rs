//! `binfmt extract --manifest` and `binfmt pack`, run as their users run them.

use std::fs;
use std::path::Path;
use std::process::Command;

use binfmt_formats::fatbin::{file, payload};
use binfmt_formats::ptd::{Ptd, ScalarType};
use binfmt_formats::rten::Rten;
use binfmt_formats::vpt::{Expect, Vpt};
use binfmt_runtime::BinFormat as _;
use serde_json::{Value, json};

use crate::called::says;

fn path(format: &str, name: &str) -> String {
    format!("{}/tests/corpus/{format}/{name}", env!("CARGO_MANIFEST_DIR"))
}

struct Desk(tempfile::TempDir);

impl Desk {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Takes a file apart.
    #[track_caller]
    fn extract(&self, file: &str, folder: &str) -> Folder {
        let folder = self.file(folder);
        says(0, &["extract", "--manifest", file, "-o", &folder]);
        Folder(folder)
    }

    #[track_caller]
    fn pack(&self, folder: &Folder) -> Vec<u8> {
        let out = self.file("out");
        says(0, &["pack", &folder.0, "-o", &out, "--force"]);
        fs::read(out).unwrap()
    }

    #[track_caller]
    fn refused(&self, folder: &Folder) -> String {
        let out = self.file("none");
        let said = says(1, &["pack", &folder.0, "-o", &out]);
        assert!(!fs::exists(out).unwrap(), "{said}");
        said
    }

    /// A folder with these files and this manifest.
    fn folder(&self, name: &str, manifest: &Value, files: &[(&str, &[u8])]) -> Folder {
        let folder = Folder(self.file(name));
        fs::create_dir_all(&folder.0).unwrap();
        for (name, bytes) in files {
            fs::write(Path::new(&folder.0).join(name), bytes).unwrap();
        }
        folder.say(manifest);
        folder
    }
}

struct Folder(String);

impl Folder {
    fn path(&self, name: &str) -> std::path::PathBuf {
        Path::new(&self.0).join(name)
    }

    fn manifest(&self) -> Value {
        serde_json::from_slice(&fs::read(self.path("manifest.json")).unwrap()).unwrap()
    }

    fn say(&self, manifest: &Value) {
        fs::write(self.path("manifest.json"), manifest.to_string()).unwrap();
    }

    /// The name of the file of an item.
    fn name(&self, index: usize) -> String {
        self.manifest()["items"][index]["file"].as_str().unwrap().to_owned()
    }
}

/// All files of the corpus that can be packed and are without errors.
fn samples() -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for format in ["fatbin", "ptd", "rten", "vpt"] {
        for file in fs::read_dir(path(format, "")).unwrap() {
            let file = file.unwrap().path();
            if file.is_file() && file.extension().is_none_or(|it| it != "json") {
                all.push((file.to_str().unwrap().to_owned(), fs::read(file).unwrap()));
            }
        }
    }
    all
}

#[test]
fn folders_give_the_files_that_they_were_taken_from() {
    let desk = Desk::new();
    let mut packed = 0;
    for (at, (file, bytes)) in samples().into_iter().enumerate() {
        let folder = Folder(desk.file(&at.to_string()));
        let extract = ["extract", "--manifest", &file, "-o", &folder.0];
        let extract = Command::new(env!("CARGO_BIN_EXE_binfmt")).args(extract).output().unwrap();
        if !extract.status.success() {
            continue;
        }
        // Plain bytes stand in one place alone.
        let template = fs::read(folder.path("template.bin")).unwrap();
        let holes = folder.manifest()["template"]["holes"].as_array().unwrap().clone();
        let holes: u64 = holes.iter().map(|hole| hole["len"].as_u64().unwrap()).sum();
        assert_eq!(template.len() as u64 + holes, bytes.len() as u64, "{file}");
        assert!(desk.pack(&folder) == bytes, "{file}");
        packed += 1;
    }
    assert!(packed > 100, "{packed}");
}

#[test]
fn a_changed_file_changes_what_it_was_taken_from() {
    let desk = Desk::new();
    // Another length, and another one of the same length.
    let vpt = desk.extract(&path("vpt", "d16_two_pkg.vpt"), "vpt");
    fs::write(vpt.path(&vpt.name(0)), b"longer than it was, and of no whole number of words")
        .unwrap();
    let bytes = desk.pack(&vpt);
    let table = Vpt::parse_with(&bytes, Expect::ANY).unwrap();
    let first = table.table().programs.iter().next().unwrap().unwrap();
    assert!(first.payload.starts_with(b"longer than") && first.is_package().is_some());
    let rten = desk.extract(&path("rten", "mlp_v2.rten"), "rten");
    let names = |folder: &Folder| {
        let manifest = folder.manifest();
        let items = manifest["items"].as_array().unwrap().clone();
        items.iter().position(|item| item["name"] == "b2").unwrap()
    };
    let bias = rten.name(names(&rten));
    fs::write(rten.path(&bias), [1; 12]).unwrap();
    let bytes = desk.pack(&rten);
    let tensors = Rten::parse(&bytes).unwrap().tensors().unwrap();
    assert_eq!(tensors.iter().find(|it| it.name == "b2").unwrap().bytes, Some(&[1; 12][..]));
    fs::write(rten.path(&bias), [1; 13]).unwrap();
    assert!(desk.refused(&rten).contains("13"));
    // Two names for the same bytes: only the one whose file has changed gets others.
    let ptd = desk.extract(&path("ptd", "direct_shared_segment.ptd"), "ptd");
    let manifest = ptd.manifest();
    let items = manifest["items"].as_array().unwrap();
    let [first, second] = [0, 1].map(|at| items[at]["file"].as_str().unwrap());
    let old = fs::read(ptd.path(second)).unwrap();
    fs::write(ptd.path(first), vec![9; old.len()]).unwrap();
    let bytes = desk.pack(&ptd);
    let keys = Ptd::parse(&bytes).unwrap().keys().unwrap();
    let of =
        |item: &Value| keys.get(item["name"].as_str().unwrap()).unwrap().unwrap().bytes.unwrap();
    assert_eq!(of(&items[0]), vec![9; old.len()]);
    assert_eq!(of(&items[1]), old);
}

#[test]
fn code_is_replaced_taken_out_and_added() {
    let desk = Desk::new();
    let folder = desk.extract(&path("fatbin", "n13_multi.fatbin"), "fatbin");
    let mut manifest = folder.manifest();
    let items = manifest["items"].as_array_mut().unwrap();
    let ptx = items.iter().position(|item| item["kind"] == "ptx").unwrap();
    let other = items.iter().position(|item| item["arch"] == "sm_80").unwrap();
    let text = b".version 8.0\n.target sm_90\n.address_size 64\n";
    fs::write(folder.path(items[ptx]["file"].as_str().unwrap()), text).unwrap();
    let count = items.len();
    let mut new = items[other].clone();
    new.as_object_mut().unwrap().remove("path");
    new["arch"] = "sm_121a".into();
    new["name"] = "new.cu".into();
    items.remove(other);
    items.push(new);
    folder.say(&manifest);
    let bytes = desk.pack(&folder);
    let entries: Vec<_> = file::entries(&bytes).unwrap().map(|it| it.unwrap().entry).collect();
    assert_eq!(entries.len(), count);
    let archs: Vec<_> = entries.iter().map(|it| it.architecture().to_string()).collect();
    assert!(
        !archs.contains(&"sm_80".to_owned()) && archs.last().unwrap() == "sm_121a",
        "{archs:?}"
    );
    assert_eq!(entries.last().unwrap().name_bytes(), b"new.cu");
    let ptx = entries.iter().find(|it| it.kind.is_ptx()).unwrap();
    let code = payload::decode(ptx, 1 << 20).unwrap();
    assert_eq!(payload::content(ptx.kind, &code).unwrap(), text);
    // Only the bytes of an item change.
    let mut manifest = folder.manifest();
    manifest["items"][0]["arch"] = "sm_99".into();
    folder.say(&manifest);
    let said = desk.refused(&folder);
    assert!(said.contains("`arch` was") && said.contains("take out `path`"), "{said}");
}

#[test]
fn files_are_made_from_scratch() {
    let desk = Desk::new();
    let cubin = fs::read(path("fatbin", "n13_elf80_plain.fatbin")).unwrap();
    let cubin = file::entries(&cubin).unwrap().next().unwrap().unwrap().entry.payload.to_vec();
    let manifest = json!({"format": "fatbin", "items": [
        {"file": "k.cubin", "arch": "sm_80", "codec": "zstd", "name": "k.cu"},
        {"file": "k.ptx", "arch": "sm_90", "codec": "lz4", "code_version": "8.0"},
        {"file": "k.cubin", "arch": "sm_80"},
    ]});
    let files: [(&str, &[u8]); 2] = [("k.cubin", &cubin), ("k.ptx", b".version 8.0\n")];
    let bytes = desk.pack(&desk.folder("fatbin", &manifest, &files));
    let listed: Vec<_> = file::entries(&bytes)
        .unwrap()
        .map(|it| it.unwrap().entry)
        .map(|it| (it.kind.name(), it.flags.codec().name(), it.name_bytes().to_vec()))
        .collect();
    let expected =
        [("elf", "zstd", b"k.cu".to_vec()), ("ptx", "lz4", vec![]), ("elf", "none", vec![])];
    assert_eq!(listed, expected);
    let manifest = json!({"format": "vpt", "vendor": "0x11", "items": [
        {"file": "a", "name": "main", "package": true}, {"file": "b", "name": "main.x"},
    ]});
    let folder = desk.folder("vpt", &manifest, &[("a", b"one"), ("b", b"")]);
    let bytes = desk.pack(&folder);
    let table = Vpt::parse_with(&bytes, Expect::ANY).unwrap();
    assert_eq!(table.table().vendor_id, 0x11);
    let programs = table.table().programs.iter().map(Result::unwrap);
    let programs: Vec<_> = programs.map(|it| (it.name, it.payload, it.is_package())).collect();
    assert_eq!(programs, [(&b"main"[..], &b"one"[..], Some(true)), (b"main.x", b"", Some(false))]);
    let manifest = json!({"format": "ptd", "align": 4096, "items": [
        {"file": "a", "name": "w", "dtype": "f32", "shape": [1, 2], "dim_order": [1, 0]},
        {"file": "b", "name": "note"},
    ]});
    let folder = desk.folder("ptd", &manifest, &[("a", &[0; 8]), ("b", b"hello")]);
    let bytes = desk.pack(&folder);
    let ptd = Ptd::parse(&bytes).unwrap();
    assert_eq!(ptd.segment_base_offset % 4096, 0);
    let keys = ptd.keys().unwrap();
    let layout = keys.get("w").unwrap().unwrap().layout.unwrap();
    assert_eq!((layout.scalar_type, layout.dim_order), (ScalarType::Float, &[1, 0][..]));
    assert_eq!(keys.get("note").unwrap().unwrap().bytes, Some(&b"hello"[..]));
}

#[test]
#[expect(clippy::too_many_lines, reason = "the list of cases is most of it")]
fn what_makes_no_file_is_told_and_nothing_is_written() {
    let desk = Desk::new();
    let item = |fields: Value| {
        let mut all = json!({"file": "a"});
        all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        all
    };
    for (format, settings, fields, sentence) in [
        ("fatbin", json!({}), json!({"kind": "elf", "arch": "sm_90"}), "not a whole one"),
        ("fatbin", json!({}), json!({"kind": "ptx"}), "a: `arch` is missing"),
        ("fatbin", json!({}), json!({"kind": "ptx", "arch": "90"}), "is no architecture"),
        ("fatbin", json!({}), json!({"arch": "sm_90"}), "its `kind` is none of"),
        (
            "fatbin",
            json!({}),
            json!({"kind": "ptx", "arch": "sm_90", "codec": "xz"}),
            "no codec `xz`",
        ),
        (
            "fatbin",
            json!({}),
            json!({"kind": "ptx", "arch": "sm_90", "nmae": "x"}),
            "`nmae` has no meaning",
        ),
        ("fatbin", json!({"align": 8}), json!({}), "`align` has no meaning"),
        ("vpt", json!({}), json!({"name": "x"}), "`vendor` is missing"),
        ("vpt", json!({"vendor": 1}), json!({}), "a: `name` is missing"),
        (
            "vpt",
            json!({"vendor": 1, "layout": "plain"}),
            json!({"name": "x", "package": true}),
            "no place for `package`",
        ),
        ("vpt", json!({"vendor": -1}), json!({"name": "x"}), "`vendor` is not a number"),
        (
            "ptd",
            json!({}),
            json!({"name": "x", "dtype": "f32", "shape": [3]}),
            "a: type and sizes make 12 bytes",
        ),
        ("ptd", json!({}), json!({"name": "x", "dtype": "f31", "shape": [1]}), "no type f31"),
        ("ptd", json!({"align": 3}), json!({"name": "x"}), "is no alignment"),
        ("rten", json!({}), json!({"name": "x"}), "nor is it made from scratch"),
        ("pte", json!({}), json!({"name": "x"}), "can only be replaced"),
        ("zip", json!({}), json!({}), "there is no format `zip`"),
    ] {
        let mut manifest = json!({"format": format, "items": [item(fields)]});
        manifest.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
        let folder = desk.folder("folder", &manifest, &[("a", b"hello")]);
        let said = desk.refused(&folder);
        assert!(said.contains(sentence), "{manifest}: {said}");
    }
    let empty = desk.folder("empty", &json!({}), &[]);
    assert!(desk.refused(&empty).contains("`format` is missing"));
    let out = desk.file("out");
    says(2, &["pack", "/nowhere/at/all", "-o", &out]);
    let gone = json!({"format": "vpt", "vendor": 1, "items": [{"file": "gone", "name": "x"}]});
    says(2, &["pack", &desk.folder("gone", &gone, &[]).0, "-o", &out]);
    // A template that does not fit.
    let vpt = desk.extract(&path("vpt", "d16_two_pkg.vpt"), "vpt");
    fs::write(vpt.path("template.bin"), b"short").unwrap();
    assert!(desk.refused(&vpt).contains("does not fit"));
    // What is damaged, or is not packed, has no manifest.
    for file in [path("pte", "mlp.pte"), path("fatbin", "negative/second_truncated.fatbin")] {
        let folder = desk.file("damaged");
        says(1, &["extract", "--manifest", &file, "-o", &folder]);
        assert!(!fs::exists(&folder).unwrap());
    }
}

#[test]
fn manifests_are_not_replaced_unless_that_is_said() {
    let desk = Desk::new();
    let file = path("vpt", "d16_two_pkg.vpt");
    let folder = desk.file("vpt");
    fs::create_dir(&folder).unwrap();
    fs::write(Path::new(&folder).join("manifest.json"), b"mine").unwrap();
    let said = says(2, &["extract", "--manifest", &file, "-o", &folder]);
    assert!(said.contains("--force"), "{said}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    says(0, &["extract", "--manifest", &file, "-o", &folder, "--force"]);
    assert_eq!(desk.pack(&Folder(folder)), fs::read(file).unwrap());
}
