use arrow_array::cast::AsArray as _;
use arrow_array::types::UInt64Type;

use super::*;
use crate::fake::{BROKEN, Fake, GOOD};
use crate::{Program, driver};

fn rows(paths: &[&Path], hash: bool) -> Vec<RecordBatch> {
    let program = Program::new(&[driver(Fake), driver(Fake)]);
    let paths = paths.iter().map(|path| path.to_path_buf()).collect();
    let contents = Contents { hash, check: true };
    let catalogue = Catalogue::new(paths, program.toolbox(), contents).unwrap();
    catalogue.map(Result::unwrap).collect()
}

fn texts<'b>(batch: &'b RecordBatch, name: &str) -> Vec<Option<&'b str>> {
    batch.column_by_name(name).unwrap().as_string::<i32>().iter().collect()
}

#[test]
fn files_and_items_have_rows() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a.box"), GOOD).unwrap();
    std::fs::write(dir.path().join("b.box"), BROKEN).unwrap();
    std::fs::write(dir.path().join("c"), b"%PDF").unwrap();
    std::fs::write(dir.path().join("d.box"), &GOOD[..GOOD.len() - 1]).unwrap();
    let batches = rows(&[dir.path(), &dir.path().join("gone")], true);
    let [batch] = &batches[..] else { panic!("{} batches", batches.len()) };
    let boxed = Some("box");
    let kinds = [None, boxed, boxed, None, boxed, boxed, None, None, boxed, None];
    assert_eq!(texts(batch, "kind"), kinds);
    let verdicts = texts(batch, "verdict");
    assert_eq!(verdicts[..6], [Some("valid"); 6]);
    let bad = ["unrecognised", "malformed", "malformed", "unreadable"];
    assert_eq!(verdicts[6..], bad.map(Some));
    assert_eq!(texts(batch, "path")[2], Some("boxes[1]"));
    assert_eq!(texts(batch, "sha256")[1].map(str::len), Some(64));
    assert!(texts(batch, "error")[5].is_some() && texts(batch, "sha256")[5].is_none());
    let offsets = batch.column_by_name("offset").unwrap().as_primitive::<UInt64Type>();
    assert_eq!((offsets.value(1), offsets.value(2)), (5, 9));
    let findings = batch.column_by_name("findings").unwrap().as_list::<i32>();
    let counts: Vec<_> = (0..10).map(|row| findings.value_length(row)).collect();
    assert_eq!(counts, [0, 0, 0, 0, 0, 0, 1, 1, 0, 1]);
}

#[test]
fn files_in_archives_are_members() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.tar");
    let mut archive = tar::Builder::new(std::fs::File::create(&path).unwrap());
    for (name, bytes) in [("x/a.box", GOOD), ("readme", b"%PDF")] {
        let mut header = tar::Header::new_ustar();
        header.set_size(json_len(bytes));
        header.set_cksum();
        archive.append_data(&mut header, name, bytes).unwrap();
    }
    archive.into_inner().unwrap();
    let batches = rows(&[&path], false);
    let members = texts(&batches[0], "member");
    assert_eq!(members, [Some("x/a.box"), Some("x/a.box"), Some("x/a.box"), None]);
    assert_eq!(texts(&batches[0], "verdict")[3], Some("archive"));
}

fn json_len(bytes: &[u8]) -> u64 {
    crate::json::wide(bytes.len())
}

#[test]
fn batches_come_while_files_are_read_and_end_when_nobody_reads() {
    let dir = tempfile::tempdir().unwrap();
    let many = [b"BOXS".to_vec(), [1, b'x'].repeat(3 * BATCH)].concat();
    for name in ["a", "b", "c", "d"] {
        std::fs::write(dir.path().join(name), &many).unwrap();
    }
    let batches = rows(&[dir.path()], false);
    assert_eq!(batches.iter().map(RecordBatch::num_rows).sum::<usize>(), 4 * (3 * BATCH + 1));
    assert!(batches.iter().all(|batch| batch.num_rows() <= BATCH));
    let program = Program::new(&[driver(Fake), driver(Fake)]);
    let paths = vec![dir.path().to_path_buf()];
    let mut one = Catalogue::new(paths, program.toolbox(), Contents::default()).unwrap();
    assert_eq!(one.next().unwrap().unwrap().num_rows(), BATCH);
    let worker = one.worker.take().unwrap();
    drop(one);
    worker.join().unwrap();
}

#[cfg(feature = "catalogue")]
#[test]
fn parquet_has_the_same_rows() {
    use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

    use crate::output::Outcome;

    let dir = tempfile::tempdir().unwrap();
    let (input, path) = (dir.path().join("a.box"), dir.path().join("out.parquet"));
    std::fs::write(&input, GOOD).unwrap();
    let program = Program::new(&[driver(Fake), driver(Fake)]);
    let scan = |force: &[&str]| {
        let args = ["scan".as_ref(), input.as_os_str(), "--parquet".as_ref(), path.as_os_str()];
        program.call(args.into_iter().chain(force.iter().map(AsRef::as_ref)))
    };
    assert_eq!(scan(&[]).outcome, Outcome::Good);
    assert_eq!(scan(&[]).outcome, Outcome::Trouble);
    assert_eq!(scan(&["--force"]).outcome, Outcome::Good);
    let file = std::fs::File::open(&path).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap();
    let written: Vec<_> = reader.map(Result::unwrap).collect();
    assert_eq!(written[0].columns(), rows(&[&input], false)[0].columns());
    std::fs::write(&input, BROKEN).unwrap();
    assert_eq!(scan(&["--force"]).outcome, Outcome::Bad);
}
