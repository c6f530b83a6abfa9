//! `binfmt edit`, run as its users run it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use binfmt_formats::ptd::Ptd;
use binfmt_formats::pte::Pte;
use binfmt_runtime::BinFormat as _;
use serde_json::Value;

use crate::corpus::{self, Sample};
use crate::pte_facts::programs;

fn path(name: &str) -> String {
    format!("{}/tests/corpus/{name}", env!("CARGO_MANIFEST_DIR"))
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

/// What `list` says of every item of a kind: name, size, and the sum of its bytes.
fn listed(file: &str, kind: &str) -> Vec<(String, u64, String)> {
    let output = exits(&["list", "--json", "--hash", file], 0);
    let list: Value = serde_json::from_slice(&output.stdout).unwrap();
    let items = list["items"].as_array().unwrap().iter().filter(|item| item["kind"] == kind);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    items
        .map(|item| (text(&item["name"]), item["size"].as_u64().unwrap(), text(&item["sha256"])))
        .collect()
}

/// A folder with a few files, and the path of the output in it.
struct Desk(tempfile::TempDir);

impl Desk {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("author"), b"somebody").unwrap();
        fs::write(dir.path().join("four"), b"\0\0\x80\x3f").unwrap();
        fs::write(dir.path().join("array.npy"), b"\x93NUMPY\x01\0\x02\0{}").unwrap();
        let numbers =
            safetensors::tensor::TensorView::new(safetensors::Dtype::U8, vec![2], &[1, 2]);
        let file = safetensors::serialize([("two", numbers.unwrap())], None).unwrap();
        fs::write(dir.path().join("two.safetensors"), file).unwrap();
        Self(dir)
    }

    fn file(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Changes a file of the corpus; `@` in an option stands for the folder.
    #[track_caller]
    fn edit(&self, name: &str, changes: &[&str], code: i32) -> Output {
        let folder = format!("={}/", self.0.path().to_str().unwrap());
        let changes: Vec<_> = changes.iter().map(|change| change.replace("=@", &folder)).collect();
        let (file, out) = (path(name), self.file("out"));
        let mut args = vec!["edit", &file, "-o", &out];
        args.extend(changes.iter().map(String::as_str));
        exits(&args, code)
    }

    fn out(&self) -> Vec<u8> {
        fs::read(self.file("out")).unwrap()
    }
}

fn sum(bytes: &[u8]) -> (u64, String) {
    (bytes.len() as u64, corpus::sha256(bytes))
}

#[test]
fn data_and_segments_of_a_program_are_changed() {
    let desk = Desk::new();
    let keys = ["one", "two", "three", "four"];
    let put = |key: &&str| ["--put".to_owned(), format!("{key}=@author")];
    let added: Vec<_> = keys.iter().flat_map(put).collect();
    let added: Vec<_> = added.iter().map(String::as_str).chain(["--add"]).collect();
    desk.edit("pte/mlp.pte", &added, 0);
    let base = desk.file("base.pte");
    fs::rename(desk.file("out"), &base).unwrap();
    let before = listed(&base, "named");
    assert_eq!(before.iter().map(|item| item.0.as_str()).collect::<Vec<_>>(), keys);
    let four = desk.file("four");
    let (new, one) = (format!("meta.author={four}"), format!("one={four}"));
    let segment = format!("3={four}");
    let changes = ["--add", "--put", &new, "--put", &one, "--drop", "two", "--segment", &segment];
    let out = desk.file("out");
    exits(&[&["edit", &base, "-o", &out], &changes[..]].concat(), 0);
    let after = listed(&out, "named");
    let found: Vec<_> = after.iter().map(|item| (item.0.as_str(), item.1)).collect();
    assert_eq!(found, [("one", 4), ("three", 4), ("four", 8), ("meta.author", 4)]);
    assert_eq!(after[2], before[3], "the others are kept");
    assert_eq!((after[0].1, after[0].2.clone()), sum(b"\0\0\x80\x3f"));
    assert!(Pte::validate(&desk.out()).findings().is_empty());
}

/// What a delegate needs cannot be taken away or cut.
#[test]
fn data_of_a_delegate_keeps_its_length() {
    let desk = Desk::new();
    let first = listed(&path("pte/mlp_xnnpack.pte"), "named").remove(0).0;
    for (change, sentence) in [
        (["--put", &format!("{first}=@author")], "fewer bytes than a delegate for XNNPACK expects"),
        (["--segment", "1=@four"], "breaks a rule of payloads for XNNPACK"),
    ] {
        let output = desk.edit("pte/mlp_xnnpack.pte", &change, 1);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(sentence), "{text}");
        assert!(!Path::new(&desk.file("out")).exists());
    }
}

#[test]
fn segments_are_aligned_anew() {
    let desk = Desk::new();
    for (name, align) in [("pte/mlp_xnnpack.pte", 4096), ("pte/mlp_align4096.pte", 16)] {
        desk.edit(name, &["--align", &align.to_string()], 0);
        let bytes = desk.out();
        let pte = Pte::parse(&bytes).unwrap();
        let base = pte.header().unwrap().segment_base;
        assert!(base.is_multiple_of(align));
        let mut end = 0_u64;
        for segment in pte.program().unwrap().segments().iter().map(Result::unwrap) {
            let next = if segment.size > 0 { end.next_multiple_of(align) } else { end };
            assert_eq!(segment.offset, next, "{name}");
            end = next + segment.size;
        }
        assert_eq!(
            listed(&desk.file("out"), "segment").iter().map(|item| &item.2).collect::<Vec<_>>(),
            listed(&path(name), "segment").iter().map(|item| &item.2).collect::<Vec<_>>(),
        );
    }
    desk.edit("ptd/direct_two_tensors.ptd", &["--align", "64"], 0);
    let bytes = desk.out();
    let ptd = Ptd::parse(&bytes).unwrap();
    let offsets = ptd.segments().unwrap();
    let offsets: Vec<u64> = offsets.iter().map(|segment| *segment.unwrap().offset).collect();
    assert_eq!(offsets, [0, 64]);
    desk.edit("ptd/direct_seg16.ptd", &["--add", "--put", "new=@author"], 0);
    let bytes = desk.out();
    let last = Ptd::parse(&bytes).unwrap().keys().unwrap().get("new").unwrap().unwrap();
    assert_eq!(last.offset % 16, 0);
    assert_ne!(last.offset % 128, 0, "the alignment is kept");
}

#[test]
fn old_programs_are_upgraded_and_others_stay() {
    let desk = Desk::new();
    let mut upgraded = 0;
    for Sample { name, bytes, .. } in programs() {
        desk.edit(&format!("pte/{name}"), &["--upgrade"], 0);
        let made = desk.out();
        let report = Pte::validate(&made);
        assert!(report.findings().is_empty(), "{name}: {report}");
        let pte = Pte::parse(&made).unwrap();
        assert!(pte.header().is_none_or(|header| header.header_len == 32), "{name}");
        let old = Pte::parse(&bytes).unwrap();
        let inline = old.program().unwrap().constant_buffer.unwrap_or_default();
        let short = old.header().is_some_and(|header| header.header_len == 24);
        if inline.is_empty() && !short {
            assert_eq!(made, bytes, "{name}");
            continue;
        }
        upgraded += 1;
        if inline.is_empty() {
            assert_eq!(made.len(), bytes.len(), "{name}: nothing moves");
        }
        let tensors = |file: &str| {
            let all = listed(file, "tensor");
            all.into_iter().map(|item| (item.0, item.1, item.2)).collect::<Vec<_>>()
        };
        assert_eq!(tensors(&desk.file("out")), tensors(&path(&format!("pte/{name}"))), "{name}");
    }
    assert_eq!(upgraded, 13);
}

#[test]
fn tensor_data_is_changed_by_key() {
    let (desk, name) = (Desk::new(), "ptd/direct_shared_segment.ptd");
    let before = listed(&path(name), "named");
    let tensor = &listed(&path("ptd/direct_channels_last.ptd"), "tensor");
    let scalar = tensor.iter().find(|item| item.0 == "scalar").unwrap();
    assert_eq!(scalar.1, 4, "an f32");
    desk.edit(name, &["--add", "--put", "=@author", "--drop", &before[0].0], 0);
    let after = listed(&desk.file("out"), "named");
    assert_eq!(after[..after.len() - 1], before[1..]);
    let last = after.last().unwrap();
    assert_eq!((last.0.as_str(), last.1, last.2.clone()), ("", 8, sum(b"somebody").1));
    // A tensor keeps its type and its sizes.
    desk.edit("ptd/direct_channels_last.ptd", &["--put", "scalar=@four"], 0);
    let again = listed(&desk.file("out"), "tensor");
    let changed = again.iter().find(|item| item.0 == "scalar").unwrap();
    assert_eq!((changed.1, changed.2.clone()), sum(b"\0\0\x80\x3f"));
    assert_eq!(again.len(), tensor.len());
    assert!(Ptd::validate(&desk.out()).findings().is_empty());
    let output = desk.edit("ptd/direct_channels_last.ptd", &["--put", "scalar=@author"], 1);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("`scalar` is a tensor of 4 bytes; 8 do not fit it"), "{text}");
}

#[test]
fn tensor_data_of_the_old_schema_is_upgraded() {
    let desk = Desk::new();
    let mut upgraded = 0;
    for Sample { name, bytes, facts } in corpus::samples("ptd") {
        let name = format!("ptd/{name}");
        desk.edit(&name, &["--upgrade"], 0);
        let made = desk.out();
        if facts.get("flat_tensor_0_6").is_none() {
            assert_eq!(made, bytes, "{name}");
            continue;
        }
        assert!(Ptd::validate(&made).findings().is_empty(), "{name}");
        assert_eq!(listed(&desk.file("out"), "tensor"), listed(&path(&name), "tensor"), "{name}");
        upgraded += 1;
    }
    assert_eq!(upgraded, 1);
}

#[test]
fn what_cannot_be_changed_is_said_and_nothing_is_written() {
    let desk = Desk::new();
    let (pte, ptd) = ("pte/mlp.pte", "ptd/direct_two_tensors.ptd");
    for (name, change, sentence) in [
        (pte, &["--put", "none=@four"][..], "there is no data with the key `none`"),
        (ptd, &["--put", "none=@four"], "there is no data with the key `none`"),
        ("rten/mlp_v2.rten", &["--put", "none=@four"], "there is no constant `none`"),
        ("rten/mlp_v2.rten", &["--put", "b2=@four"], "make 12 bytes, and 4 do not fit"),
        ("rten/mlp_v2.rten", &["--align", "64"], "nothing else can be edited"),
        (pte, &["--drop", "none"], "there is no data with the key `none`"),
        (pte, &["--segment", "9=@four"], "there is no segment 9"),
        (pte, &["--align", "24"], "24 is no alignment"),
        (ptd, &["--drop", "none"], "there is no data with the key `none`"),
        (ptd, &["--segment", "0=@four"], "belong to keys"),
        (ptd, &["--align", "8"], "8 is no alignment"),
        ("vpt/seed_two.vpt", &["--upgrade"], "files of the format `vpt` cannot be edited"),
        ("pte/negative/trunc_last_byte.pte", &["--upgrade"], "promises more segment bytes"),
        // The constants would leave their segment.
        (pte, &["--segment", "0=@four"], "reaches behind the end of its segment"),
    ] {
        let output = desk.edit(name, change, 1);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(sentence), "{name} {change:?}: {text}");
        assert!(!Path::new(&desk.file("out")).exists(), "{name} {change:?}");
    }
    for wrong in [
        &[][..],
        &["--put", "key"],
        &["--segment", "x=@four"],
        &["--align", "x"],
        &["--put", "key=@missing"],
        // The header of such a file would become numbers.
        &["--add", "--put", "key=@array.npy"],
        &["--segment", "0=@array.npy"],
        &["--segment", "0=@two.safetensors"],
        &["--add", "--upgrade"],
    ] {
        desk.edit(pte, wrong, 2);
        assert!(!Path::new(&desk.file("out")).exists(), "{wrong:?}");
    }
}

#[test]
fn bytes_go_to_standard_output_as_they_are() {
    let (desk, file) = (Desk::new(), path("ptd/direct_all_dtypes.ptd"));
    // Text would lose what looks like a colour.
    fs::write(desk.file("colours"), b"\x1b[31mred\x1b[0m \xff\xfe").unwrap();
    let put = format!("colours={}", desk.file("colours"));
    for args in [
        &["rewrite", &file][..],
        &["convert", &file, "--skip", "--to", "safetensors"],
        &["convert", &file, "--to", "ptd"],
        &["edit", &file, "--add", "--put", &put],
    ] {
        let out = desk.file("out");
        let written = exits(&[args, &["-o", "-"]].concat(), 0).stdout;
        exits(&[args, &["-o", &out]].concat(), 0);
        assert_eq!(written, desk.out(), "{args:?}");
    }
}

#[test]
fn elements_of_a_constant_are_changed_in_their_place() {
    let desk = Desk::new();
    for (name, constant, len) in [("rten/mlp_v2.rten", "w1", 128), ("rten/mlp_v1.rten", "b2", 12)] {
        fs::write(desk.file("ones"), vec![1; len]).unwrap();
        desk.edit(name, &["--put", &format!("{constant}=@ones")], 0);
        let (old, new) = (fs::read(path(name)).unwrap(), desk.out());
        assert_eq!(old.len(), new.len(), "{name}");
        let differs: Vec<_> = (0..old.len()).filter(|at| old[*at] != new[*at]).collect();
        assert!(differs.len() > len / 2 && differs[differs.len() - 1] - differs[0] < len, "{name}");
        let changed = listed(&desk.file("out"), "constant");
        let changed = changed.iter().find(|item| item.0 == constant).unwrap();
        assert_eq!((changed.1, changed.2.clone()), sum(&vec![1; len]), "{name}");
    }
}

#[test]
fn a_wrapped_file_goes_in_as_it_is_when_that_is_said() {
    let desk = Desk::new();
    desk.edit("pte/mlp.pte", &["--add", "--raw", "--put", "key=@array.npy"], 0);
    let named = listed(&desk.file("out"), "named");
    assert_eq!((named[0].0.as_str(), named[0].1), ("key", 12));
}

/// What may hold numbers and cannot be converted is said, and nothing is written.
#[test]
fn nothing_that_may_hold_numbers_is_lost_without_a_word() {
    let desk = Desk::new();
    let (out, file) = (desk.file("a.safetensors"), desk.file("other.pte"));
    let mut closed = 0;
    for Sample { name, mut bytes, .. } in programs() {
        let Some(at) = bytes.windows(14).position(|part| part == b"XnnpackBackend") else {
            continue;
        };
        closed += 1;
        // A backend whose blobs nobody can open.
        bytes[at..at + 14].copy_from_slice(b"UnknownBackend");
        fs::write(&file, bytes).unwrap();
        let output = exits(&["convert", &file, "-o", &out], 1);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains("bytes for UnknownBackend may hold weights"), "{name}: {text}");
        assert!(!Path::new(&out).exists(), "{name}");
        exits(&["convert", &file, "-o", &desk.file("b.safetensors"), "--skip"], 0);
    }
    assert_eq!(closed, 12);
    desk.edit("pte/mlp.pte", &["--add", "--put", "key=@author"], 0);
    let output = exits(&["convert", &desk.file("out"), "-o", &out], 1);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("key: a blob is no tensor"), "{text}");
    let output = exits(&["convert", &path("pte/identity.pte"), "-o", &out], 0);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("there are no tensors in it"), "{text}");
}
