//! Tensors of `ExecuTorch` programs through the program, against what the reference readers say.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use safetensors::{Dtype, SafeTensors};
use serde_json::Value;

use crate::corpus::{self, Sample};
use crate::pte_facts::programs;

fn path(name: &str) -> String {
    format!("{}/tests/corpus/pte/{name}", env!("CARGO_MANIFEST_DIR"))
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

/// The common name of an element type of the schema, and that of safetensors.
fn dtype(name: &Value) -> (&'static str, Dtype) {
    match name.as_str().unwrap() {
        "BYTE" => ("u8", Dtype::U8),
        "CHAR" => ("i8", Dtype::I8),
        "SHORT" => ("i16", Dtype::I16),
        "INT" => ("i32", Dtype::I32),
        "LONG" => ("i64", Dtype::I64),
        "HALF" => ("f16", Dtype::F16),
        "FLOAT" => ("f32", Dtype::F32),
        "DOUBLE" => ("f64", Dtype::F64),
        "BOOL" => ("bool", Dtype::BOOL),
        "BFLOAT16" => ("bf16", Dtype::BF16),
        other => panic!("{other}"),
    }
}

/// A tensor with bytes in the file, as the reference readers have it.
struct Fact {
    /// What the model calls it, or the method and the value.
    names: [String; 2],
    dtype: &'static str,
    stored: Dtype,
    shape: Vec<usize>,
    /// Its bytes, and what lies between it and the next one.
    size: usize,
    sha256: String,
}

impl Fact {
    /// Whether these are the bytes; what follows them is padding.
    fn is(&self, bytes: &[u8]) -> bool {
        let mut padded = bytes.to_vec();
        padded.resize(self.size, 0);
        padded.len() == self.size && corpus::sha256(&padded) == self.sha256
    }
}

fn facts(facts: &Value) -> Vec<Fact> {
    let mut all = Vec::new();
    for method in facts["methods"].as_array().unwrap() {
        for tensor in method["tensors"].as_array().unwrap() {
            let index = usize::try_from(tensor["data_buffer_idx"].as_u64().unwrap()).unwrap();
            if index == 0 || tensor["extra"]["location"] == "EXTERNAL" {
                continue;
            }
            let list =
                if tensor["allocation"].is_null() { "constant_buffer" } else { "mutable_data" };
            let content = &facts["python_deserialize"][list][index];
            let sizes = tensor["sizes"].as_array().unwrap().iter();
            let unnamed = format!("{}-value-{}", method["name"].as_str().unwrap(), tensor["value"]);
            let (dtype, stored) = dtype(&tensor["scalar_type"][1]);
            all.push(Fact {
                names: [tensor["extra"]["fqn"].as_str().unwrap_or(&unnamed).to_owned(), unnamed],
                dtype,
                stored,
                shape: sizes.map(|size| usize::try_from(size.as_u64().unwrap()).unwrap()).collect(),
                size: usize::try_from(content["size"].as_u64().unwrap()).unwrap(),
                sha256: content["sha256"].as_str().unwrap().to_owned(),
            });
        }
    }
    all
}

#[test]
fn constants_and_first_states_go_to_safetensors() {
    let dir = tempfile::tempdir().unwrap();
    let there = dir.path().join("a.safetensors");
    let (mut compared, mut shared) = (0, 0);
    for Sample { name, facts: all, .. } in programs() {
        // What lies in a `.ptd` is left out.
        exits(&["convert", &path(&name), "--skip", "-o", there.to_str().unwrap()], 0);
        let bytes = fs::read(&there).unwrap();
        let tensors = SafeTensors::deserialize(&bytes).unwrap();
        let facts = facts(&all);
        let mut found = BTreeSet::new();
        for fact in &facts {
            let named = fact.names.iter().find_map(|name| {
                Some((name, tensors.tensor(name).ok().filter(|view| fact.is(view.data()))?))
            });
            let Some((key, view)) = named else {
                // Another method has it too, and gave it its name.
                let same = tensors.iter().find(|(_, view)| {
                    fact.is(view.data())
                        && (view.dtype(), view.shape()) == (fact.stored, &fact.shape)
                });
                assert!(same.is_some(), "{name}: {:?}", fact.names);
                shared += 1;
                continue;
            };
            assert_eq!((view.dtype(), view.shape()), (fact.stored, &fact.shape[..]), "{name}");
            assert!(found.insert(key), "{name}: {key} twice");
            compared += 1;
        }
        // A constant of a delegate is called by its digest.
        let named = all["named_data"].as_array().into_iter().flatten();
        let named: BTreeSet<_> = named.map(|named| named["key"].as_str().unwrap()).collect();
        for key in &named {
            assert_eq!(corpus::sha256(tensors.tensor(key).unwrap().data()), *key, "{name}");
        }
        assert_eq!(tensors.len(), found.len() + named.len(), "{name}: nothing else");
    }
    assert!(compared > 80 && shared > 5, "{compared} tensors, {shared} shared");
}

#[test]
fn constants_are_extracted_as_numpy_arrays() {
    let mut arrays = 0;
    for name in
        ["mlp.pte", "kv_cache_mutable_init.pte", "dtypes_constants.pte", "mlp_et021_inline.pte"]
    {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().to_str().unwrap();
        exits(&["extract", &path(name), "-o", out, "--filter", "tensor", "--npy"], 0);
        let sample = programs().find(|sample| sample.name == name).unwrap();
        let facts = facts(&sample.facts);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), facts.len(), "{name}");
        for fact in facts {
            let file = dir.path().join(format!("{}.npy", fact.names[0]));
            let Ok(bytes) = fs::read(&file) else {
                assert_eq!(fact.dtype, "bf16", "{name}: {}", file.display());
                let raw = dir.path().join(format!("{}.bf16", fact.names[0]));
                assert!(fact.is(&fs::read(raw).unwrap()));
                continue;
            };
            let array = npyz::NpyFile::new(&bytes[..]).unwrap();
            let shape: Vec<u64> = fact.shape.iter().map(|size| *size as u64).collect();
            assert_eq!(array.shape(), shape, "{name}");
            // The elements are the end of such a file.
            let size = fact.stored.bitsize() / 8 * fact.shape.iter().product::<usize>();
            assert!(fact.is(&bytes[bytes.len() - size..]), "{name}");
            arrays += 1;
        }
    }
    assert_eq!(arrays, 4 + 5 + 10 + 4);
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().to_str().unwrap();
    exits(&["extract", &path("mlp.pte"), "-o", out, "--filter", "*.values[3]", "--npy"], 0);
    let array = fs::read(dir.path().join("forward-value-3.npy")).unwrap();
    let array = npyz::NpyFile::new(&array[..]).unwrap().into_vec::<f32>().unwrap();
    assert_eq!(array.len(), 3);
}

#[test]
fn tensors_outside_of_the_program_are_said() {
    let dir = tempfile::tempdir().unwrap();
    let there = dir.path().join("a.safetensors");
    let file = path("mlp_external_partial.pte");
    let output = exits(&["convert", &file, "-o", there.to_str().unwrap()], 1);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("its bytes do not lie in the file"), "{text}");
    assert!(!Path::new(&there).exists());
}
