//! `ExecuTorch` tensor data through the program, run as its users run it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use binfmt_formats::ptd::Ptd;
use binfmt_runtime::BinFormat as _;
use safetensors::{Dtype, SafeTensors};
use serde_json::{Value, json};

use crate::corpus::{self, Sample};

fn path(name: &str) -> String {
    format!("{}/tests/corpus/ptd/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[track_caller]
fn exits(args: &[&str], code: i32) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_binfmt"))
        .args(args)
        .args(corpus::force(args))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(code), "{args:?}: {output:?}");
    output
}

fn line(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The items of a kind.
fn of_kind<'v>(list: &'v Value, kind: &str) -> Vec<&'v Value> {
    list["items"].as_array().unwrap().iter().filter(|item| item["kind"] == kind).collect()
}

#[test]
fn list_has_every_segment_key_and_tensor() {
    for Sample { name, facts, .. } in corpus::samples("ptd") {
        let list = line(&exits(&["list", "--json", "--hash", &path(&name)], 0));
        assert_eq!(list["format"], "ptd");
        let base = facts["header"]["segment_base_offset"].as_u64().unwrap();
        if let Some(old) = facts.get("flat_tensor_0_6") {
            assert_eq!(list["variant"], "0.6");
            let tensors = of_kind(&list, "tensor");
            let expected = old["tensors"].as_array().unwrap();
            assert_eq!(tensors.len(), expected.len());
            for (item, fact) in tensors.iter().zip(expected) {
                assert_eq!(item["name"], fact["fully_qualified_name"]);
                assert_eq!(item["offset"], fact["file_offset"]);
                assert_eq!((&item["size"], &item["sha256"]), (&fact["nbytes"], &fact["sha256"]));
                assert_eq!(item["shape"], fact["sizes"]);
            }
            continue;
        }
        assert_eq!(list["variant"], "0.7");
        let segments = facts["segments"].as_array().unwrap();
        for (item, fact) in of_kind(&list, "segment").iter().zip(segments) {
            assert_eq!(item["offset"], base + fact["offset"].as_u64().unwrap(), "{name}");
            assert_eq!(
                (&item["size"], &item["sha256"]),
                (&fact["size"], &fact["sha256"]),
                "{name}"
            );
        }
        assert_eq!(of_kind(&list, "segment").len(), segments.len(), "{name}");
        let named = facts["named_data"].as_array().unwrap();
        assert_eq!(of_kind(&list, "named").len(), named.len(), "{name}");
        for (item, fact) in of_kind(&list, "named").iter().zip(named) {
            assert_eq!((&item["name"], &item["segment"]), (&fact["key"], &fact["segment_index"]));
            let segment =
                &segments[usize::try_from(fact["segment_index"].as_u64().unwrap()).unwrap()];
            assert_eq!((&item["size"], &item["sha256"]), (&segment["size"], &segment["sha256"]));
        }
        let typed: Vec<_> = named.iter().filter(|fact| !fact["tensor_layout"].is_null()).collect();
        let tensors = of_kind(&list, "tensor");
        assert_eq!(tensors.len(), typed.len(), "{name}");
        for (item, fact) in tensors.iter().zip(typed) {
            let layout = &fact["tensor_layout"];
            assert_eq!(item["name"], fact["key"], "{name}");
            assert_eq!(item["dtype"], dtype(&layout["scalar_type"][1]), "{name}");
            assert_eq!(
                (&item["shape"], &item["dim_order"]),
                (&layout["sizes"], &layout["dim_order"])
            );
        }
    }
}

/// The common name of an element type of the schema.
fn dtype(name: &Value) -> &'static str {
    match name.as_str().unwrap() {
        "BYTE" => "u8",
        "CHAR" => "i8",
        "SHORT" => "i16",
        "INT" => "i32",
        "LONG" => "i64",
        "HALF" => "f16",
        "FLOAT" => "f32",
        "DOUBLE" => "f64",
        "BOOL" => "bool",
        "QINT8" => "qint8",
        "BFLOAT16" => "bf16",
        "UINT16" => "u16",
        "UINT32" => "u32",
        "UINT64" => "u64",
        "FLOAT8E5M2" => "f8e5m2",
        other => panic!("{other}"),
    }
}

#[test]
fn list_says_what_there_is_of_each_kind() {
    let output = exits(&["list", &path("direct_shared_segment.ptd")], 0);
    let text = String::from_utf8(output.stdout).unwrap();
    let totals: Vec<&str> = text.lines().rev().take(4).collect();
    assert_eq!(
        totals,
        [
            "8 items, 29 bytes stored, 29 bytes decoded",
            "tensor: 2, 16 bytes stored, 16 bytes decoded",
            "named: 4, 29 bytes stored, 29 bytes decoded",
            "segment: 2, 29 bytes stored, 29 bytes decoded",
        ]
    );
}

#[test]
fn every_file_is_judged_and_rewritten() {
    for Sample { name, .. } in corpus::samples("ptd") {
        assert_eq!(line(&exits(&["validate", "--json", &path(&name)], 0))["verdict"], "valid");
        assert_eq!(line(&exits(&["rewrite", "--check", "--json", &path(&name)], 0))["same"], true);
    }
    for Sample { name, facts, .. } in corpus::mutants("ptd") {
        let harmless = facts["summary"] == "accept, same data" && !name.starts_with("layout");
        let output = exits(
            &["validate", "--json", &path(&format!("negative/{name}"))],
            i32::from(!harmless),
        );
        assert_eq!(line(&output)["verdict"] == "valid", harmless, "{name}");
    }
}

#[test]
fn tensors_are_extracted_as_numpy_arrays() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().to_str().unwrap();
    let file = path("direct_channels_last.ptd");
    exits(&["extract", &file, "-o", out, "--filter", "*.tensor_layout", "--npy"], 0);
    let bytes = fs::read(dir.path().join("conv.w.npy")).unwrap();
    let array = npyz::NpyFile::new(&bytes[..]).unwrap();
    assert_eq!(array.shape(), [2, 3, 2, 2]);
    // The file has the channels last.
    let stored = Ptd::parse(&fs::read(&file).unwrap())
        .unwrap()
        .keys()
        .unwrap()
        .get("conv.w")
        .unwrap()
        .unwrap()
        .bytes
        .unwrap()
        .to_vec();
    let stored: Vec<u32> =
        stored.as_chunks::<4>().0.iter().map(|four| u32::from_le_bytes(*four)).collect();
    let array = array.into_vec::<f32>().unwrap();
    for (n, c, h, w) in [(0, 0, 0, 0), (0, 1, 0, 0), (1, 2, 1, 0), (1, 0, 0, 1)] {
        assert_eq!(
            array[((n * 3 + c) * 2 + h) * 2 + w].to_bits(),
            stored[((n * 2 + h) * 2 + w) * 3 + c]
        );
    }
    let scalar = fs::read(dir.path().join("scalar.npy")).unwrap();
    assert_eq!(npyz::NpyFile::new(&scalar[..]).unwrap().shape(), [0_u64; 0]);
    // What NumPy has no type for is written as it is.
    exits(&["extract", &path("direct_all_dtypes.ptd"), "-o", out, "--filter", "*bf16", "--npy"], 0);
    assert!(!dir.path().join("bf16.npy").exists());
    assert!(dir.path().join("bf16.bf16").exists());
}

fn file(dir: &Path, name: &str) -> String {
    dir.join(name).to_str().unwrap().to_owned()
}

#[test]
fn tensors_go_to_safetensors_and_back() {
    let dir = tempfile::tempdir().unwrap();
    let (there, back) = (file(dir.path(), "a.safetensors"), file(dir.path(), "a.ptd"));
    for name in ["direct_two_tensors.ptd", "mlp_external_tagged.head.ptd", "old_et060.ptd"] {
        let original = fs::read(path(name)).unwrap();
        exits(&["convert", &path(name), "-o", &there], 0);
        let bytes = fs::read(&there).unwrap();
        let tensors = SafeTensors::deserialize(&bytes).unwrap();
        exits(&["convert", &there, "-o", &back], 0);
        let again = fs::read(&back).unwrap();
        let (original, again) = (Ptd::parse(&original).unwrap(), Ptd::parse(&again).unwrap());
        assert_eq!(Ptd::validate(&fs::read(&back).unwrap()).findings(), []);
        let keys = again.keys().unwrap();
        let entries: Vec<_> = original.entries().unwrap().map(Result::unwrap).collect();
        assert_eq!((tensors.len(), keys.len()), (entries.len(), entries.len()), "{name}");
        for entry in entries {
            let view = tensors.tensor(entry.key).unwrap();
            assert_eq!(Some(view.data()), entry.bytes, "{name}");
            let found = keys.get(entry.key).unwrap().unwrap();
            assert_eq!((found.bytes, found.layout), (entry.bytes, entry.layout), "{name}");
        }
    }
}

#[test]
fn elements_are_brought_into_rows_for_safetensors() {
    let dir = tempfile::tempdir().unwrap();
    let there = file(dir.path(), "a.safetensors");
    exits(&["convert", &path("direct_channels_last.ptd"), "-o", &there], 0);
    let bytes = fs::read(&there).unwrap();
    let tensors = SafeTensors::deserialize(&bytes).unwrap();
    let view = tensors.tensor("perm").unwrap();
    assert_eq!((view.dtype(), view.shape()), (Dtype::U8, &[2, 3, 4][..]));
    let stored = fs::read(path("direct_channels_last.ptd")).unwrap();
    let keys = Ptd::parse(&stored).unwrap().keys().unwrap();
    let stored = keys.get("perm").unwrap().unwrap().bytes.unwrap();
    // The last dimension is the outermost in the file.
    for (a, b, c) in [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 2, 3)] {
        assert_eq!(view.data()[(a * 3 + b) * 4 + c], stored[(c * 2 + a) * 3 + b]);
    }
}

#[test]
fn what_the_other_format_cannot_hold_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let there = file(dir.path(), "a.safetensors");
    let blobs = path("direct_opaque_blobs.ptd");
    let output = exits(&["convert", &blobs, "-o", &there], 1);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("qnn.ctx: a blob is no tensor"), "{text}");
    assert!(!Path::new(&there).exists());
    exits(&["convert", &blobs, "--skip", "-o", &there], 0);
    let bytes = fs::read(&there).unwrap();
    assert!(SafeTensors::deserialize(&bytes).unwrap().is_empty());
    // Its own format holds them.
    let again = file(dir.path(), "again.ptd");
    exits(&["convert", &blobs, "-o", &again], 0);
    let (old, new) = (fs::read(&blobs).unwrap(), fs::read(&again).unwrap());
    let contents = |bytes: &[u8]| -> Value {
        let file = Ptd::parse(bytes).unwrap();
        let entries = file.entries().unwrap().map(Result::unwrap);
        entries.map(|entry| json!([entry.key, entry.bytes])).collect()
    };
    assert_eq!(contents(&old), contents(&new));
}

#[test]
fn damaged_and_unknown_files_are_not_converted() {
    let dir = tempfile::tempdir().unwrap();
    let out = file(dir.path(), "a.safetensors");
    exits(&["convert", &path("negative/segment_misaligned.ptd"), "-o", &out], 1);
    exits(&["convert", &path("expected.json"), "-o", &out], 1);
    let vpt = format!("{}/tests/corpus/vpt/seed_two.vpt", env!("CARGO_MANIFEST_DIR"));
    let output = exits(&["convert", &vpt, "-o", &out], 1);
    assert!(String::from_utf8(output.stderr).unwrap().contains("`vpt` have no tensors"));
    exits(&["convert", &path("direct_empty.ptd"), "-o", &file(dir.path(), "a.txt")], 2);
    assert!(!Path::new(&out).exists());
    let broken = file(dir.path(), "b.safetensors");
    fs::write(&broken, b"\x02\0\0\0\0\0\0\0{\"").unwrap();
    exits(&["convert", &broken, "-o", &file(dir.path(), "b.ptd")], 1);
}
