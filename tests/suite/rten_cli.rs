//! `RTen` models in the program, against what their reference reader says.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Map, Value, json};

use crate::corpus::{self, Sample};
use crate::rten_built;

fn binfmt(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_binfmt"))
        .args(args)
        .args(corpus::force(args))
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

#[track_caller]
pub(crate) fn exits(args: &[&str], code: i32) -> String {
    let output = binfmt(args);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn line(args: &[&str]) -> Value {
    serde_json::from_str(&exits(args, 0)).unwrap()
}

pub(crate) fn path(name: &str) -> String {
    format!("{}/tests/corpus/rten/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A file of the test's own.
fn file(folder: &Path, bytes: &[u8]) -> String {
    let path = folder.join("made.rten");
    fs::write(&path, bytes).unwrap();
    path.into_os_string().into_string().unwrap()
}

/// The constants as the reference reader has them, in our words.
fn constants(facts: &Value) -> Vec<Value> {
    let nodes = facts["graph"]["nodes"].as_array().unwrap().iter().enumerate();
    let constants = nodes.filter(|(_, node)| node["kind"] == "constant");
    let constant = |(index, node): (usize, &Value)| {
        let dtype = match node["inline"].as_str().or_else(|| node["dtype"].as_str()).unwrap() {
            "FloatData" | "Float32" => "f32",
            "Int32Data" | "Int32" => "i32",
            "Int8Data" | "Int8" => "i8",
            "UInt8Data" | "UInt8" => "u8",
            other => panic!("{other}"),
        };
        json!({
            "path": format!("model.graph.nodes[{index}].data"),
            "kind": "constant",
            "name": node["name"],
            "size": node["data_len"],
            "sha256": node["sha256"],
            "dtype": dtype,
            "shape": node["shape"],
            "location": if node["inline"].is_null() { "external" } else { "inline" },
        })
    };
    constants.map(constant).collect()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or(0)
}

#[test]
fn models_are_listed_as_the_reference_reader_lists_them() {
    for Sample { name, bytes, facts } in corpus::samples("rten") {
        let listing = line(&["list", "--json", "--hash", &path(&name)]);
        let version = if facts["header"].is_object() { "v2" } else { "v1" };
        assert_eq!((&listing["format"], &listing["variant"]), (&"rten".into(), &version.into()));
        let items = listing["items"].as_array().unwrap();
        let expected = constants(&facts);
        assert_eq!(items.len(), expected.len(), "{name}");
        for (item, expected) in items.iter().zip(expected) {
            for (key, value) in expected.as_object().unwrap() {
                assert_eq!(&item[key], value, "{name}: {key}");
            }
            let at = usize::try_from(number(&item["offset"])).unwrap();
            let stored = &bytes[at..][..usize::try_from(number(&item["stored_size"])).unwrap()];
            assert_eq!(item["sha256"], corpus::sha256(stored), "{name}");
        }
        assert_eq!(number(&listing["operators"]), number(&facts["node_counts"]["operator"]));
        assert_eq!(number(&listing["values"]), number(&facts["node_counts"]["value"]));
        assert_eq!(listing["by_operator"], facts["operator_counts"], "{name}");
        let said: Map<String, Value> = facts["metadata"].as_object().unwrap().clone();
        let said = said.into_iter().filter(|(_, text)| !text.is_null()).collect::<Map<_, _>>();
        assert_eq!(listing["metadata"], Value::Object(said), "{name}");
        let sizes = listing["sizes"].as_object().unwrap().values();
        assert_eq!(sizes.map(number).sum::<u64>(), u64::try_from(bytes.len()).unwrap(), "{name}");
    }
}

#[test]
fn listing_says_what_makes_a_model_big() {
    let text = exits(&["list", &path("dtypes_external_v2.rten")], 0);
    let (_, totals) = text.split_once("\n7 items, ").unwrap();
    assert_eq!(
        totals,
        "\
448 bytes stored, 448 bytes decoded
outputs: e_f32_o f32[5,7], e_i8_o i8[19], e_u8_o u8[3,11], e_i32_o i32[17],
    e_bool_o i32[20], small_o i32[3], e_f32b_o f32[2,3,4]
operators: 7
values: 7
by_operator: Identity 7
by_dtype: f32 236, i32 160, i8 19, u8 33
sizes: header 32, model 1.6 KiB, inline 12, external 436, padding 276
metadata: onnx_hash
    \"f077bf3b6d76dd78bc9ceb7f93ded11950fd5961e7a1e3b1ce8ec16596f15d4b\"
"
    );
}

#[test]
fn constants_are_extracted() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    for name in ["dtypes_v1.rten", "dtypes_external_v2.rten", "unicode_names_v2.rten"] {
        let args = ["extract", "--force", "--json", &path(name), "-o", out.to_str().unwrap()];
        let written = exits(&args, 0);
        let listing = line(&["list", "--json", "--hash", &path(name)]);
        let items = listing["items"].as_array().unwrap();
        assert_eq!(written.lines().count(), items.len());
        for item in items {
            let bytes = fs::read(out.join(item["file_name"].as_str().unwrap())).unwrap();
            assert_eq!(item["sha256"], corpus::sha256(&bytes), "{name}");
        }
    }
    assert!(out.join("e_f32.f32").exists());
}

#[test]
fn models_without_errors_are_rewritten_byte_for_byte() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    for Sample { name, bytes, .. } in corpus::samples("rten") {
        exits(&["validate", &path(&name)], 0);
        exits(&["rewrite", "--check", &path(&name)], 0);
        exits(&["rewrite", &path(&name), "-o", out.to_str().unwrap()], 0);
        assert!(fs::read(&out).unwrap() == bytes, "{name}");
    }
}

/// Mutants that are as good as before, and those that no longer are models at all.
const HARMLESS: [&str; 4] = [
    "model_len_plus8.rten",
    "node_name_absent.rten",
    "trailing_garbage.rten",
    "v1_trailing_garbage.rten",
];
const OTHER_FILES: [(&str, &str); 3] = [
    ("all_zero_4k.rten", "zero bytes"),
    ("magic_7274656e.rten", "starts with 72 74 65 6e"),
    ("onnx_instead.rten", "ONNX"),
];

#[test]
fn damage_is_never_good() {
    let mut others = 0;
    for Sample { name, .. } in corpus::mutants("rten") {
        let path = path(&format!("negative/{name}"));
        let code = i32::from(!HARMLESS.contains(&name.as_str()));
        let line: Value =
            serde_json::from_str(&exits(&["validate", "--json", &path], code)).unwrap();
        for command in ["inspect", "list"] {
            exits(&[command, &path], code);
        }
        if let Some((_, sentence)) = OTHER_FILES.iter().find(|(other, _)| *other == name) {
            others += 1;
            assert_eq!((&line["format"], &line["verdict"]), (&Value::Null, &"unrecognised".into()));
            let message = line["findings"][0]["message"].as_str().unwrap();
            assert!(message.contains(sentence), "{name}: {message}");
        } else {
            assert_eq!(line["format"], "rten", "{name}");
            assert_eq!(line["verdict"] == "valid", code == 0, "{name}");
        }
    }
    assert_eq!(others, OTHER_FILES.len());
}

/// A model of version 1 has no length anywhere, but what it leads to is no longer there.
#[test]
fn models_that_are_cut_short_are_damaged_models() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["mlp_v1.rten", "dtypes_v1.rten", "tied_v1.rten", "mlp_v2.rten"] {
        let whole = fs::read(path(name)).unwrap();
        for tenths in 3..10 {
            let path = file(dir.path(), &whole[..whole.len() * tenths / 10]);
            let line: Value =
                serde_json::from_str(&exits(&["validate", "--json", &path], 1)).unwrap();
            assert_eq!(line["format"], "rten", "{name}: {tenths}");
            assert_ne!(line["verdict"], "valid", "{name}: {tenths}");
            let mut findings = line["findings"].as_array().unwrap().iter();
            let first = findings.find(|finding| finding["severity"] == "error").unwrap();
            assert!(first["path"].as_str().unwrap().starts_with("model"), "{first}");
        }
    }
}

#[test]
fn graphs_in_operators_are_listed() {
    let dir = tempfile::tempdir().unwrap();
    let path = file(dir.path(), &rten_built::branches());
    let listing = line(&["list", "--json", &path]);
    let paths: Vec<_> =
        listing["items"].as_array().unwrap().iter().map(|item| &item["path"]).collect();
    let inside = "model.graph.nodes[2].data.attributes";
    assert_eq!(
        paths,
        [
            format!("{inside}.then_branch.nodes[0].data").as_str(),
            &format!("{inside}.then_branch.nodes[2].data.attributes.body.nodes[0].data"),
            &format!("{inside}.else_branch.nodes[0].data"),
            "model.graph.nodes[3].data",
        ]
    );
    assert_eq!((&listing["operators"], &listing["values"]), (&2.into(), &4.into()));
    assert_eq!(listing["by_operator"], json!({ "If": 1, "Loop": 1 }));
    exits(&["rewrite", "--check", &path], 0);
}

#[test]
fn deep_graphs_and_long_chains_come_to_an_end() {
    let dir = tempfile::tempdir().unwrap();
    let path = file(dir.path(), &rten_built::chain(20_000));
    let listing = line(&["list", "--json", &path]);
    assert_eq!((&listing["operators"], &listing["values"]), (&20_000.into(), &20_001.into()));
    exits(&["validate", &path], 0);
    exits(&["inspect", &path], 0);
    let path = file(dir.path(), &rten_built::nested(64));
    let line: Value = serde_json::from_str(&exits(&["validate", "--json", &path], 1)).unwrap();
    assert_eq!(line["findings"][0]["code"], "depth", "{line}");
    for command in ["inspect", "list"] {
        exits(&[command, &path], 1);
    }
}

/// A header-less file is tried as a model, and must not be taken for one.
#[test]
fn files_of_other_formats_are_no_models() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in fs::read_dir(corpus).unwrap().map(|entry| entry.unwrap().path()) {
        if !folder.ends_with("rten") {
            let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            files.extend(entries.filter(|path| path.is_file()));
        }
    }
    let mut args = vec!["validate", "--json", "--no-decode"];
    args.extend(files.iter().map(|path| path.to_str().unwrap()));
    let said = String::from_utf8(binfmt(&args).stdout).unwrap();
    assert_eq!(said.lines().count(), files.len());
    assert!(files.len() > 50 && !said.contains(r#""format":"rten""#));
}

#[test]
fn constants_go_to_safetensors() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out.safetensors");
    let out = out.to_str().unwrap();
    for name in ["mlp_v1.rten", "mlp_v2.rten"] {
        exits(&["convert", &path(name), "-o", out], 0);
        let bytes = fs::read(out).unwrap();
        let tensors = safetensors::SafeTensors::deserialize(&bytes).unwrap();
        let listed = line(&["list", "--json", "--hash", &path(name)]);
        let items = listed["items"].as_array().unwrap();
        assert_eq!(tensors.len(), items.len(), "{name}");
        for item in items {
            let tensor = tensors.tensor(item["name"].as_str().unwrap()).unwrap();
            assert_eq!(json!(tensor.shape()), item["shape"], "{name}");
            assert_eq!(corpus::sha256(tensor.data()), item["sha256"], "{name}");
        }
    }
}
