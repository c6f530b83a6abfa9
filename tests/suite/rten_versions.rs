//! `RTen` models in the other version of the format, and with other metadata.

use std::fs;
use std::path::Path;

use binfmt_formats::rten::{Metadata, Rten};
use binfmt_runtime::{BinFormat as _, Error};
use flatbuffers::{FlatBufferBuilder, TableFinishedWIPOffset, WIPOffset};
use serde_json::{Value, json};

use crate::corpus::{self, Sample};
use crate::rten_attributes::shown;
use crate::{laws, rten_built, rten_cli};

/// Name, type, shape and bytes of a constant.
type Constant = (Option<String>, String, Vec<u32>, Vec<u8>);

/// Every constant of a file, and whether it lies outside the graph.
fn constants(file: &[u8]) -> Vec<(Constant, bool)> {
    let rten = Rten::parse(file).unwrap();
    let constant = |constant: Result<binfmt_formats::rten::Constant<'_>, Error>| {
        let constant = constant.unwrap();
        let shape = constant.shape.iter().map(Result::unwrap).collect();
        let dtype = format!("{:?}", constant.dtype.unwrap());
        let bytes = constant.bytes.unwrap().to_vec();
        ((constant.name.map(str::to_owned), dtype, shape, bytes), constant.external)
    };
    rten.constants().map(constant).collect()
}

/// What the crate sees of a file, without where constants lie.
fn seen(file: &[u8]) -> String {
    let shown = shown(Rten::parse(file).unwrap().model().bytes());
    let mut parts = shown.split("ConstantNode { ");
    let mut seen = parts.next().unwrap().to_owned();
    for part in parts {
        // Of a constant the shape alone; its table ends with `data_offset`.
        let (shape, rest) = part.split_once(", data_type: ").unwrap();
        let (_, rest) = rest.split_once(", data_offset: ").unwrap();
        seen.push_str(shape);
        seen.push_str(rest.split_once(' ').unwrap().1);
    }
    seen
}

fn all_files() -> impl Iterator<Item = (String, Vec<u8>)> {
    let real = corpus::samples("rten").into_iter().map(|Sample { name, bytes, .. }| (name, bytes));
    real.chain([("branches".to_owned(), rten_built::branches())])
}

#[track_caller]
fn holds(name: &str, file: &[u8], findings: &[&str]) {
    let report = Rten::validate(file);
    let codes: Vec<_> = report.findings().iter().map(|finding| finding.code).collect();
    assert_eq!(codes, findings, "{name}: {report}");
    laws::hold::<Rten<'_>>(file, ());
}

#[test]
fn every_model_becomes_one_of_version_1() {
    for (name, bytes) in all_files() {
        let made = Rten::parse(&bytes).unwrap().to_v1().unwrap();
        assert!(matches!(Rten::parse(&made), Ok(Rten::V1(_))), "{name}");
        holds(&name, &made, &["rten.bare.model.deprecated"]);
        assert_eq!(seen(&made), seen(&bytes), "{name}");
        let found = constants(&made);
        assert!(found.iter().all(|(_, external)| !external), "{name}");
        let before = constants(&bytes);
        assert!(found.iter().map(|(one, _)| one).eq(before.iter().map(|(one, _)| one)), "{name}");
    }
}

#[test]
fn every_model_becomes_one_of_version_2() {
    let mut moved = 0;
    for (name, bytes) in all_files() {
        let made = Rten::parse(&bytes).unwrap().to_v2().unwrap();
        assert!(matches!(Rten::parse(&made), Ok(Rten::V2(_))), "{name}");
        holds(&name, &made, &[]);
        assert_eq!(seen(&made), seen(&bytes), "{name}");
        let before = constants(&bytes);
        for ((one, external), (old, was_external)) in constants(&made).into_iter().zip(before) {
            assert_eq!(one, old, "{name}");
            let count: u32 = one.2.iter().product();
            assert_eq!(external, was_external || count > 16, "{name}");
            moved += usize::from(external && !was_external);
        }
    }
    assert!(moved > 10, "{moved}");
}

/// What the converter wrote comes back as it was: the same tables, the same tensor section.
#[test]
fn there_and_back_is_where_it_was() {
    for Sample { name, bytes, .. } in corpus::samples("rten") {
        let Rten::V2(file) = Rten::parse(&bytes).unwrap() else { continue };
        let flat = Rten::V2(file.clone()).to_v1().unwrap();
        let back = Rten::parse(&flat).unwrap().to_v2().unwrap();
        let Rten::V2(back) = Rten::parse(&back).unwrap() else { panic!("{name}") };
        assert_eq!(shown(back.model.bytes()), shown(file.model.bytes()), "{name}");
        assert!(back.tensors == file.tensors, "{name}");
    }
}

#[test]
fn metadata_is_changed_and_nothing_else() {
    for (name, bytes) in all_files() {
        let rten = Rten::parse(&bytes).unwrap();
        let old = rten.model().root().unwrap().metadata;
        let text = "Ein Modell, \"klein\" und fein.\n".repeat(40);
        let mut new = old.clone().unwrap_or(Metadata::EMPTY);
        *new.text_mut("description").unwrap() = Some(&text);
        *new.text_mut("license").unwrap() = Some("");
        *new.text_mut("onnx_hash").unwrap() = None;
        assert!(new.text_mut("author").is_none());
        let made = rten.with_metadata(Some(new.clone())).unwrap();
        let read = Rten::parse(&made).unwrap();
        assert_eq!(read.model().root().unwrap().metadata, Some(new));
        assert_eq!(read.tensor_section(), rten.tensor_section(), "{name}");
        assert_eq!(constants(&made), constants(&bytes), "{name}");
        let warned: &[&str] =
            if rten.tensor_section().is_none() { &["rten.bare.model.deprecated"] } else { &[] };
        holds(&name, &made, warned);
        // With the old metadata again, the crate sees the old model.
        let back = read.with_metadata(old).unwrap();
        let back = Rten::parse(&back).unwrap();
        assert_eq!(shown(back.model().bytes()), shown(rten.model().bytes()), "{name}");
    }
}

type Table = WIPOffset<TableFinishedWIPOffset>;

fn table(
    b: &mut FlatBufferBuilder<'static>,
    slots: &[(u16, Table)],
    tag: Option<(u16, u8)>,
) -> Table {
    let table = b.start_table();
    for (slot, value) in slots {
        b.push_slot_always(4 + 2 * slot, *value);
    }
    if let Some((slot, tag)) = tag {
        b.push_slot_always(4 + 2 * slot, tag);
    }
    b.end_table(table)
}

fn model(mut b: FlatBufferBuilder<'static>, graph: Table) -> Vec<u8> {
    let table = b.start_table();
    b.push_slot_always(4, 1_i32);
    b.push_slot_always(6, graph);
    let root = b.end_table(table);
    b.finish_minimal(root);
    b.finished_data().to_vec()
}

/// Graphs that lead to one another twice each, that many times.
fn doubled(times: usize) -> Vec<u8> {
    let mut b = FlatBufferBuilder::new();
    let mut graph = table(&mut b, &[], None);
    for _ in 0..times {
        let branches = table(&mut b, &[(0, graph), (1, graph)], None);
        let operator = b.start_table();
        b.push_slot_always(4, 104_u8);
        b.push_slot_always(6, 39_u8);
        b.push_slot_always(8, branches);
        let operator = b.end_table(operator);
        let node = table(&mut b, &[(2, operator)], Some((1, 1)));
        let nodes = b.create_vector(&[node]);
        let outer = b.start_table();
        b.push_slot_always(4, nodes);
        graph = b.end_table(outer);
    }
    model(b, graph)
}

/// A model whose nodes are all the same large constant.
fn repeated(times: usize) -> Vec<u8> {
    let mut b = FlatBufferBuilder::new();
    let shape = b.create_vector(&[25_000_u32]);
    let elements = b.create_vector(&vec![1.0_f32; 25_000]);
    let data = b.start_table();
    b.push_slot_always(4, elements);
    let data = b.end_table(data);
    let constant = b.start_table();
    b.push_slot_always(4, shape);
    b.push_slot_always(6, 1_u8);
    b.push_slot_always(8, data);
    let constant = b.end_table(constant);
    let node = table(&mut b, &[(2, constant)], Some((1, 2)));
    let nodes = b.create_vector(&vec![node; times]);
    let graph = b.start_table();
    b.push_slot_always(4, nodes);
    let graph = b.end_table(graph);
    model(b, graph)
}

/// A small file that would become a large one is refused, before there is memory for that.
#[test]
fn tables_that_are_shared_again_and_again_are_refused() {
    for file in [doubled(12), repeated(4096)] {
        let rten = Rten::parse(&file).unwrap();
        let info = allocation_counter::measure(|| {
            let code = |made: Result<Vec<u8>, Error>| made.unwrap_err().finding().code;
            // What is met first: the work for what is shared, or the size of the result.
            for made in [rten.with_metadata(None), rten.to_v1()] {
                assert!(matches!(code(made), "budget" | "size"));
            }
        });
        // The nodes of a graph take some hundred bytes each while they are changed.
        let most = 512 * u64::try_from(file.len()).unwrap() + (32 << 20);
        assert!(info.bytes_max < most, "{}", info.bytes_max);
    }
    // In a section, the same bytes need to be there once only.
    let file = repeated(4096);
    let made = Rten::parse(&file).unwrap().to_v2().unwrap();
    assert!(made.len() < 1 << 20, "{}", made.len());
}

fn made(folder: &Path, args: &[&str]) -> Vec<u8> {
    let out = folder.join("made");
    let all: Vec<_> = args.iter().copied().chain(["-o", out.to_str().unwrap()]).collect();
    rten_cli::exits(&all, 0);
    fs::read(&out).unwrap()
}

#[test]
fn the_program_converts_between_versions() {
    let dir = tempfile::tempdir().unwrap();
    for Sample { name, bytes, .. } in corpus::samples("rten") {
        let path = rten_cli::path(&name);
        let rten = Rten::parse(&bytes).unwrap();
        let one = made(dir.path(), &["convert", &path, "--to", "rten1"]);
        assert!(one == rten.to_v1().unwrap(), "{name}");
        let two = made(dir.path(), &["convert", &path, "--to", "rten2"]);
        assert!(two == rten.to_v2().unwrap(), "{name}");
    }
    let out = dir.path().join("none");
    let out = out.to_str().unwrap();
    let damaged = rten_cli::path("negative/data_offset_max.rten");
    let program = format!("{}/tests/corpus/pte", env!("CARGO_MANIFEST_DIR"));
    let program = fs::read_dir(program).unwrap().map(|entry| entry.unwrap().path());
    let program = program.filter(|path| path.extension().is_some_and(|end| end == "pte")).min();
    let program = program.unwrap();
    for file in [damaged.as_str(), program.to_str().unwrap()] {
        rten_cli::exits(&["convert", file, "--to", "rten2", "-o", out], 1);
        rten_cli::exits(&["metadata", file, "--set", "license=MIT", "-o", out], 1);
    }
    assert!(!Path::new(out).exists());
}

#[test]
fn the_program_shows_and_changes_metadata() {
    let dir = tempfile::tempdir().unwrap();
    let path = rten_cli::path("mlp_v2_metadata.rten");
    let line = |path: &str| -> Value {
        let line = rten_cli::exits(&["metadata", "--json", path], 0);
        serde_json::from_str::<Value>(&line).unwrap()["metadata"].take()
    };
    let mut expected = line(&path);
    let samples = corpus::samples("rten");
    let facts = samples.iter().find(|sample| sample.name == "mlp_v2_metadata.rten").unwrap();
    assert_eq!(expected, facts.facts["metadata"]);
    let words = ["--set", "license=a=b \u{fc}", "--set", "commit=", "--remove", "description"];
    let args: Vec<_> = ["metadata", path.as_str()].into_iter().chain(words).collect();
    let bytes = made(dir.path(), &args);
    expected["license"] = json!("a=b \u{fc}");
    expected["commit"] = json!("");
    expected["description"] = Value::Null;
    let out = dir.path().join("made");
    assert_eq!(line(out.to_str().unwrap()), expected);
    assert_eq!(constants(&bytes), constants(&facts.bytes));
    let text = rten_cli::exits(&["metadata", out.to_str().unwrap()], 0);
    assert!(text.contains("\nlicense "), "{text}");
    rten_cli::exits(&["metadata", &path, "--set", "author=me", "-o", out.to_str().unwrap()], 2);
    // Without any text there is no table either.
    let all = ["onnx_hash", "license", "commit", "code_repository", "model_repository", "run_id"];
    let removed = all.iter().chain(&["run_url"]).flat_map(|name| ["--remove", name]);
    let args: Vec<_> = ["metadata", out.to_str().unwrap()].into_iter().chain(removed).collect();
    let bytes = made(dir.path(), &args);
    let model = Rten::parse(&bytes).unwrap().model().root().unwrap();
    assert_eq!(model.metadata, None);
}
