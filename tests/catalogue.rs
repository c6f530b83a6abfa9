//! Catalogues: what `list --json` says of each file, as one table.
//!
//! Only with the feature `catalogue`, as the table and its file format are built for it alone.

use std::path::{Path, PathBuf};
use std::process::Command;

use arrow_array::cast::AsArray as _;
use arrow_array::types::UInt64Type;
use arrow_array::{Array as _, RecordBatch};
use binfmt_cli::program;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::{Map, Value, json};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

/// The rows of a table that were made from items, as `list --json` has them.
fn items(batch: &RecordBatch) -> Vec<(String, Value)> {
    (0..batch.num_rows())
        .filter(|row| batch.column_by_name("kind").unwrap().is_valid(*row))
        .map(|row| item(batch, row))
        .collect()
}

fn item(batch: &RecordBatch, row: usize) -> (String, Value) {
    let column = |name: &str| batch.column_by_name(name).unwrap();
    let text = |name: &str| {
        let column = column(name);
        column.is_valid(row).then(|| column.as_string::<i32>().value(row).to_owned())
    };
    let number = |name: &str| {
        let column = column(name);
        column.is_valid(row).then(|| column.as_primitive::<UInt64Type>().value(row))
    };
    let mut item: Map<String, Value> =
        text("details").map(|details| serde_json::from_str(&details).unwrap()).unwrap_or_default();
    for key in ["path", "kind", "arch", "dtype", "sha256", "error", "name_hex"] {
        item.extend(text(key).map(|text| (key.to_owned(), text.into())));
    }
    if !item.contains_key("name_hex") {
        item.insert("name".to_owned(), text("name").into());
    }
    for key in ["offset", "stored_size", "size"] {
        item.insert(key.to_owned(), number(key).into());
    }
    let shape = column("shape");
    if shape.is_valid(row) {
        let sizes = shape.as_list::<i32>().value(row);
        let sizes: Vec<_> = sizes.as_primitive::<UInt64Type>().values().to_vec();
        item.insert("shape".to_owned(), sizes.into());
    }
    (text("file").unwrap(), Value::Object(item))
}

/// An item without what says nothing, and with numbers as they are: a reader of JSON may lose those
/// above 2^53, which are texts there.
fn plain(item: &Value) -> Value {
    let mut item = item.as_object().unwrap().clone();
    for key in ["arch", "dtype", "shape"] {
        if item.get(key).is_some_and(Value::is_null) {
            item.remove(key);
        }
    }
    for key in ["offset", "stored_size", "size"] {
        let number = item.get(key).and_then(Value::as_str).and_then(|text| text.parse().ok());
        if let Some(number) = number {
            let number: u64 = number;
            item.insert(key.to_owned(), number.into());
        }
    }
    if let Some(Value::Array(sizes)) = item.get_mut("shape") {
        for size in sizes {
            let number = size.as_str().and_then(|text| text.parse::<u64>().ok());
            *size = number.map_or_else(|| size.clone(), Value::from);
        }
    }
    Value::Object(item)
}

#[test]
fn catalogue_of_the_corpora_is_that_of_list_row_by_row() {
    let dir = tempfile::tempdir().unwrap();
    let table = dir.path().join("corpus.parquet");
    let mut scan = Command::new(env!("CARGO_BIN_EXE_binfmt"));
    let scan = scan.arg("scan").arg(corpus()).arg("--hash").arg("--parquet").arg(&table);
    let output = scan.output().unwrap();
    // Some are damaged on purpose; they have rows as all others.
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let file = std::fs::File::open(&table).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap();
    let batches: Vec<RecordBatch> = reader.map(Result::unwrap).collect();
    let mut found = batches.iter().flat_map(items).peekable();
    let program = program();
    let (mut files, mut rows) = (0, 0);
    for batch in &batches {
        for row in 0..batch.num_rows() {
            if batch.column_by_name("kind").unwrap().is_valid(row) {
                continue;
            }
            files += 1;
            let file = batch.column_by_name("file").unwrap().as_string::<i32>().value(row);
            let verdict = batch.column_by_name("verdict").unwrap().as_string::<i32>().value(row);
            let listed = program.call(["list", "--json", "--hash", file]);
            if verdict == "unrecognised" {
                assert!(listed.output.is_empty(), "{file}");
                continue;
            }
            let listed: Value = serde_json::from_slice(&listed.output).unwrap();
            for item in listed["items"].as_array().unwrap() {
                let (of, row) = found.next().unwrap();
                assert_eq!((of.as_str(), plain(&row)), (file, plain(item)));
                rows += 1;
            }
            let judged = program.call(["validate", "--json", file]);
            let judged: Value = serde_json::from_slice(&judged.output).unwrap();
            assert_eq!(judged["format"], json!(listed["format"]), "{file}");
        }
    }
    assert!(found.next().is_none());
    assert!(files > 150 && rows > 1000, "{files} files, {rows} rows");
}
