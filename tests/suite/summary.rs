//! `binfmt summary`, run as its users run it, against what the reference readers say.

use std::fs;
use std::process::{Command, Output, Stdio};

use binfmt_formats::summary::Facet;
use serde_json::Value;

use crate::corpus;

fn binfmt(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_binfmt")).args(args).stdin(Stdio::null()).output().unwrap()
}

fn path(format: &str, name: &str) -> String {
    format!("{}/tests/corpus/{format}/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[track_caller]
fn summary(format: &str, name: &str) -> Value {
    let output = binfmt(&["summary", "--json", &path(format, name)]);
    assert!(output.status.code().is_some_and(|code| code < 2), "{name}: {output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), 1, "{name}: {text}");
    serde_json::from_str(&text).unwrap()
}

/// The bytes of each group, by name.
fn groups(summary: &Value, facet: &str) -> Vec<(Option<String>, u64)> {
    let groups = summary["by"][facet].as_array().unwrap().iter();
    let group = |group: &Value| {
        (group["name"].as_str().map(str::to_owned), group["bytes"].as_u64().unwrap())
    };
    groups.map(group).collect()
}

fn bytes(summary: &Value, facet: &str, name: &str) -> u64 {
    let groups = groups(summary, facet).into_iter();
    groups.filter(|(found, _)| found.as_deref() == Some(name)).map(|(_, bytes)| bytes).sum()
}

/// The names of a format's files without errors that the corpus has.
fn names(format: &str) -> Vec<String> {
    let folder = path(format, "");
    let names = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
    let names = names.filter(|it| it.is_file() && it.extension().is_none_or(|it| it != "json"));
    let mut names: Vec<_> =
        names.map(|it| it.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    names.sort();
    assert!(!names.is_empty());
    names
}

#[test]
fn sums_are_the_length_of_every_file() {
    for format in ["pte", "ptd", "rten", "vpt", "fatbin"] {
        for name in names(format) {
            let len = corpus::file(format, &name).len() as u64;
            let summary = summary(format, &name);
            assert_eq!(summary["bytes"], len, "{name}");
            for facet in Facet::ALL {
                let groups = groups(&summary, facet.name());
                let sum: u64 = groups.iter().map(|(_, bytes)| bytes).sum();
                assert_eq!(sum, len, "{name}: {}", facet.name());
                assert!(groups.is_sorted_by(|a, b| a.1 >= b.1), "{name}: {groups:?}");
            }
        }
    }
}

/// Segments, constants and named data as the flatbuffers of `ExecuTorch` have them.
#[test]
fn programs_are_summed_up_as_their_reader_says() {
    for sample in corpus::samples("pte").iter().filter(|it| corpus::has_ending(&it.name, "pte")) {
        let name = &sample.name;
        let summary = summary("pte", name);
        let methods = sample.facts["methods"].as_array().unwrap();
        let found = summary["methods"].as_array().unwrap();
        assert_eq!(found.len(), methods.len(), "{name}");
        for (method, found) in methods.iter().zip(found) {
            assert_eq!(found["name"], method["name"], "{name}");
            for list in ["inputs", "outputs"] {
                let count = method[list].as_array().unwrap().len();
                assert_eq!(found[list].as_array().unwrap().len(), count, "{name}: {list}");
            }
            let operators = method["operators"].as_array().unwrap().iter();
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let mut expected: Vec<_> = operators
                .map(|it| match (text(&it[0]), text(&it[1])) {
                    (name, overload) if overload.is_empty() => name,
                    (name, overload) => format!("{name}.{overload}"),
                })
                .collect();
            expected.sort();
            let operators = found["operators"].as_array().unwrap().iter();
            let mut operators: Vec<_> = operators.map(|it| text(&it["name"])).collect();
            operators.sort();
            assert_eq!(operators, expected, "{name}");
            let planned = method["non_const_buffer_sizes"].as_array().unwrap();
            assert_eq!(found["planned"].as_array().unwrap()[..], planned[1..], "{name}");
        }
        let mut segments: Vec<_> = sample.facts["segments"].as_array().unwrap().iter().collect();
        segments.dedup();
        for (index, segment) in segments.iter().enumerate() {
            let place = format!("segment {index}");
            assert_eq!(
                bytes(&summary, "place", &place),
                segment["size"].as_u64().unwrap(),
                "{name}"
            );
        }
    }
}

#[test]
fn operators_and_delegates_have_the_bytes_that_they_use() {
    let mlp = summary("pte", "mlp.pte");
    // All weights, and nothing but these.
    let used = groups(&mlp, "operator").into_iter().filter(|it| it.0.is_some());
    assert_eq!(used.map(|it| it.1).sum::<u64>(), 268);
    assert_eq!(bytes(&mlp, "method", "forward"), 268);
    let xnnpack = summary("pte", "mlp_xnnpack.pte");
    // The blob, and the weights that it looks up.
    assert_eq!(bytes(&xnnpack, "delegate", "XnnpackBackend"), 1184 + 268);
    assert_eq!(bytes(&xnnpack, "operator", "FullyConnected"), 268);
    assert_eq!(bytes(&xnnpack, "type", "f32"), 268);
    let nodes = &xnnpack["methods"][0]["delegates"][0]["operators"];
    assert_eq!(nodes[0]["count"], 2);
    // What two methods share is counted once, for both.
    let shared = summary("pte", "multi_method.pte");
    let both = groups(&shared, "method");
    assert!(
        both.iter().any(|(name, _)| name.as_deref().is_some_and(|it| it.contains(" + "))),
        "{both:?}"
    );
}

#[test]
fn models_are_summed_up_as_their_crate_says() {
    for sample in corpus::samples("rten") {
        let name = &sample.name;
        let facts = &sample.facts;
        let summary = summary("rten", name);
        let model = &summary["methods"][0];
        let nodes = facts["graph"]["nodes"].as_array().unwrap();
        for list in ["inputs", "outputs"] {
            let expected = facts["graph"][list].as_array().unwrap();
            let expected =
                expected.iter().map(|at| &nodes[usize::try_from(at.as_u64().unwrap()).unwrap()]);
            let found = model[list].as_array().unwrap();
            assert_eq!(found.len(), expected.len(), "{name}");
            for (expected, found) in expected.zip(found) {
                assert_eq!(found["name"], expected["name"], "{name}");
                if expected["kind"] == "value" {
                    assert_eq!(found["shape"], expected["shape"], "{name}");
                }
            }
        }
        let counts = facts["operator_counts"].as_object().unwrap();
        let found = model["operators"].as_array().unwrap();
        let sum = |counts: &mut dyn Iterator<Item = &Value>| -> u64 {
            counts.filter_map(Value::as_u64).sum()
        };
        // The facts have the outermost graph alone.
        for (operator, count) in counts {
            let found = found.iter().find(|it| it["name"] == operator.as_str()).unwrap();
            assert!(found["count"].as_u64() >= count.as_u64(), "{name}: {operator}");
        }
        if counts.keys().all(|it| it != "If" && it != "Loop") {
            let expected = sum(&mut counts.values());
            assert_eq!(sum(&mut found.iter().map(|it| &it["count"])), expected, "{name}");
        }
    }
}

#[test]
fn functions_of_gpu_code_are_those_of_its_symbols() {
    let summary = summary("fatbin", "n13_multi.fatbin");
    let functions = summary["functions"].as_array().unwrap();
    assert!(!functions.is_empty());
    for function in functions {
        assert!(function["bytes"].as_u64().unwrap() > 0, "{function}");
        assert!(function["arch"].as_str().unwrap().starts_with("sm_"), "{function}");
        assert!(function["path"].as_str().unwrap().contains(".entries["), "{function}");
    }
    // One launchable function, compiled for several devices.
    assert!(functions.iter().all(|it| it["kernel"] == true && it["name"] == functions[0]["name"]));
}

#[test]
fn functions_of_code_of_32_bits_are_there_too_and_damage_is_said() {
    let found = &summary("fatbin", "n11_32bit.fatbin")["functions"];
    let [function] = &found.as_array().unwrap()[..] else { panic!("{found}") };
    assert_eq!((&function["name"], &function["bytes"]), (&"nop".into(), &128.into()));
    // Neither 32 nor 64 bits, and a table of sections that does not lie in the code.
    for (at, byte) in [(80 + 4, 3), (80 + 34, 0xff)] {
        let mut file = corpus::file("fatbin", "n11_32bit.fatbin");
        file[at] = byte;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.fatbin");
        fs::write(&path, file).unwrap();
        let output = binfmt(&["summary", path.to_str().unwrap()]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("entries[0]"), "{said}");
    }
}

#[test]
fn tables_are_chosen_and_cut() {
    let file = path("pte", "mlp.pte");
    let run = |args: &[&str]| {
        let output = binfmt(&[&["summary"], args, &[file.as_str()]].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let all = run(&[]);
    for word in ["purpose", "operator", "name", "forward", "takes  f32[1,4]", "gives  f32[1,3]"] {
        assert!(all.contains(word), "{word}: {all}");
    }
    assert!(all.lines().all(|line| line.chars().count() <= 80), "{all}");
    let methods = binfmt(&["summary", &path("pte", "multi_method.pte")]);
    let methods = String::from_utf8(methods.stdout).unwrap();
    assert!(methods.lines().all(|line| line.chars().count() <= 80), "{methods}");
    let one = run(&["--by", "name", "--top", "1", "--bytes"]);
    assert!(one.contains("and 3 more with 140 bytes") && !one.contains("takes"), "{one}");
}

#[test]
fn what_cannot_be_summed_up_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let mlp = corpus::file("pte", "mlp.pte");
    for (path, code) in [
        (file("empty", b""), 1),
        (file("text", b"hello"), 1),
        (file("cut.pte", &mlp[..200]), 1),
        (path("pte", "negative/program_size_minus64.pte"), 1),
        ("/nowhere/at/all".to_owned(), 2),
    ] {
        let output = binfmt(&["summary", &path]);
        assert_eq!(output.status.code(), Some(code), "{path}: {output:?}");
        assert!(!output.stderr.is_empty(), "{path}");
    }
}

/// Damage ends in words and not in a panic, and what is summed up adds up.
#[test]
fn damaged_files_add_up_too() {
    for format in ["pte", "ptd", "fatbin"] {
        for sample in corpus::mutants(format) {
            let output =
                binfmt(&["summary", "--json", &path(format, &format!("negative/{}", sample.name))]);
            assert!(
                output.status.code().is_some_and(|code| code < 2),
                "{}: {output:?}",
                sample.name
            );
            let Ok(summary) = serde_json::from_slice::<Value>(&output.stdout) else { continue };
            let sum: u64 = groups(&summary, "purpose").iter().map(|it| it.1).sum();
            assert_eq!(sum, sample.bytes.len() as u64, "{}", sample.name);
        }
    }
}
