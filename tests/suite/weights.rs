//! `binfmt edit --weights`, run as its users run it.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use binfmt_formats::ptd::{Builder, Ptd, ScalarType};
use binfmt_formats::pte::Pte;
use binfmt_formats::rten::Rten;
use binfmt_runtime::BinFormat as _;
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};

use crate::called::says;
use crate::corpus;

/// A tensor of a file of safetensors: type, shape, elements.
type Elements = (Dtype, Vec<usize>, Vec<u8>);

struct Desk(tempfile::TempDir);

impl Desk {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn put(&self, name: &str, bytes: &[u8]) -> String {
        fs::write(self.file(name), bytes).unwrap();
        self.file(name)
    }

    fn safetensors(&self, name: &str, tensors: &BTreeMap<String, Elements>) -> String {
        let views = tensors.iter().map(|(name, (dtype, shape, bytes))| {
            (name, TensorView::new(*dtype, shape.clone(), bytes).unwrap())
        });
        self.put(name, &safetensors::serialize(views, None).unwrap())
    }

    /// The file with new elements, and the output of which nothing is written.
    #[track_caller]
    fn edit(&self, file: &str, changes: &[&str]) -> Vec<u8> {
        let out = self.file("out");
        says(0, &[&["edit", file, "-o", &out, "--force"], changes].concat());
        fs::read(out).unwrap()
    }

    /// What is said where nothing is written.
    #[track_caller]
    fn refused(&self, file: &str, changes: &[&str]) -> String {
        let out = self.file("none");
        let said = says(1, &[&["edit", file, "-o", &out], changes].concat());
        assert!(!fs::exists(out).unwrap(), "{said}");
        said
    }

    /// The tensors of a model that safetensors can hold.
    fn tensors(&self, file: &str) -> BTreeMap<String, Elements> {
        let out = self.file("all.safetensors");
        says(0, &["convert", file, "-o", &out, "--skip", "--force"]);
        let bytes = fs::read(out).unwrap();
        let all = SafeTensors::deserialize(&bytes).unwrap();
        let tensor = |(name, view): (String, TensorView<'_>)| {
            (name, (view.dtype(), view.shape().to_vec(), view.data().to_vec()))
        };
        all.tensors().into_iter().map(tensor).collect()
    }
}

fn path(format: &str, name: &str) -> String {
    format!("{}/tests/corpus/{format}/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn f32s(all: &[f32]) -> Vec<u8> {
    all.iter().flat_map(|it| it.to_le_bytes()).collect()
}

/// Files that are to be edited must be without errors.
fn models() -> Vec<(&'static str, String)> {
    let mut all = Vec::new();
    for format in ["pte", "ptd", "rten"] {
        for sample in
            corpus::samples(format).iter().filter(|it| !corpus::has_ending(&it.name, "bpte"))
        {
            let is_good = match format {
                "pte" => Pte::validate(&sample.bytes).is_ok(),
                "ptd" => Ptd::validate(&sample.bytes).is_ok(),
                _ => Rten::validate(&sample.bytes).is_ok(),
            };
            if is_good {
                all.push((format, sample.name.clone()));
            }
        }
    }
    assert!(all.len() > 80, "{}", all.len());
    all
}

#[test]
fn own_weights_change_nothing_and_others_are_all_taken() {
    let desk = Desk::new();
    for (format, name) in models() {
        let file = path(format, &name);
        let mut tensors = desk.tensors(&file);
        if tensors.is_empty() {
            continue;
        }
        let own = desk.safetensors("own.safetensors", &tensors);
        assert!(desk.edit(&file, &["--weights", &own]) == fs::read(&file).unwrap(), "{name}");
        // Any bytes are elements, but for truth values.
        for (dtype, _, bytes) in tensors.values_mut().filter(|it| it.0 != Dtype::BOOL) {
            assert!(*dtype != Dtype::BOOL);
            for byte in bytes.iter_mut() {
                *byte ^= 0x11;
            }
        }
        let new = desk.safetensors("new.safetensors", &tensors);
        let edited = desk.edit(&file, &["--weights", &new]);
        let edited = desk.put(&format!("edited.{format}"), &edited);
        assert!(desk.tensors(&edited) == tensors, "{name}");
    }
}

#[test]
fn arrays_of_numpy_are_taken_by_name_and_in_either_order() {
    let desk = Desk::new();
    let file = path("rten", "mlp_v2.rten");
    let npy = |name: &str, fortran: &str, shape: &str, bytes: &[u8]| {
        let text = format!("{{'descr': '<f4', 'fortran_order': {fortran}, 'shape': {shape}, }}\n");
        let mut all = b"\x93NUMPY\x01\0".to_vec();
        all.extend_from_slice(&u16::try_from(text.len()).unwrap().to_le_bytes());
        all.extend_from_slice(text.as_bytes());
        all.extend_from_slice(bytes);
        desk.put(name, &all)
    };
    let bias = npy("b2.npy", "False", "(3,)", &f32s(&[1.0, 2.0, 3.0]));
    let edited = desk.edit(&file, &["--weights", &bias]);
    let model = Rten::parse(&edited).unwrap().tensors().unwrap();
    let find = |name: &str| model.iter().find(|it| it.name == name).unwrap().bytes.unwrap();
    assert_eq!(find("b2"), f32s(&[1.0, 2.0, 3.0]));
    // Eight rows of three, one column behind the other.
    let columns: Vec<f32> = (0_u16..24).map(|at| f32::from(at % 8 * 3 + at / 8)).collect();
    let rows: Vec<f32> = (0_u16..24).map(f32::from).collect();
    let columns = npy("any.npy", "True", "(8, 3)", &f32s(&columns));
    let edited = desk.edit(&file, &["--weights", &format!("w2={columns}")]);
    let model = Rten::parse(&edited).unwrap().tensors().unwrap();
    assert_eq!(model.iter().find(|it| it.name == "w2").unwrap().bytes.unwrap(), f32s(&rows));
}

/// Rows go into tensors whose dimensions lie in another order.
#[test]
fn elements_are_stored_in_the_order_of_the_file() {
    let desk = Desk::new();
    let file = path("ptd", "direct_channels_last.ptd");
    let mut tensors = desk.tensors(&file);
    let (_, shape, bytes) = tensors.values_mut().next().unwrap();
    assert!(shape.len() == 4);
    bytes.iter_mut().zip(0_u8..).for_each(|(byte, at)| *byte = at.wrapping_mul(7));
    let new = desk.safetensors("new.safetensors", &tensors);
    let edited = desk.edit(&file, &["--weights", &new]);
    assert!(edited.len() == fs::read(&file).unwrap().len());
    let edited = desk.put("edited.ptd", &edited);
    assert!(desk.tensors(&edited) == tensors);
}

#[test]
fn types_are_cast_if_that_is_asked_for() {
    let desk = Desk::new();
    let mut file = Builder::new();
    file.tensor("half", ScalarType::Half, &[2], &[0; 4]).unwrap();
    file.tensor("byte", ScalarType::Char, &[2], &[0; 2]).unwrap();
    let file = desk.put("x.ptd", &file.to_vec().unwrap());
    let given = |half: [f32; 2], byte: [f32; 2]| {
        let tensor = |all: [f32; 2]| (Dtype::F32, vec![2], f32s(&all));
        let all = [("half".to_owned(), tensor(half)), ("byte".to_owned(), tensor(byte))];
        desk.safetensors("new.safetensors", &all.into())
    };
    let good = given([1.0, -2.0], [3.0, -4.0]);
    let said = desk.refused(&file, &["--weights", &good]);
    assert!(said.contains("`byte`: it has the type i8, not f32"), "{said}");
    assert!(said.contains("`half`: it has the type f16, not f32"), "{said}");
    let edited = desk.edit(&file, &["--weights", &good, "--cast"]);
    let keys = Ptd::parse(&edited).unwrap().keys().unwrap();
    assert_eq!(keys.get("half").unwrap().unwrap().bytes.unwrap(), [0, 0x3c, 0, 0xc0]);
    assert_eq!(keys.get("byte").unwrap().unwrap().bytes.unwrap(), [3, 0xfc]);
    let bad = given([1e9, 0.0], [0.0, 0.5]);
    let said = desk.refused(&file, &["--weights", &bad, "--cast"]);
    assert!(said.contains("`half`: element 0 is 1000000000, which is no f16"), "{said}");
    assert!(said.contains("`byte`: element 1 is 0.5, which is no i8"), "{said}");
}

#[test]
fn new_names_are_added_where_there_is_a_place_and_it_is_asked_for() {
    let desk = Desk::new();
    let new = [("extra".to_owned(), (Dtype::F32, vec![1], f32s(&[1.0])))].into();
    let new = desk.safetensors("new.safetensors", &new);
    for (format, name) in
        [("pte", "mlp.pte"), ("ptd", "direct_two_tensors.ptd"), ("rten", "mlp_v2.rten")]
    {
        let file = path(format, name);
        let said = desk.refused(&file, &["--weights", &new]);
        assert!(said.contains("`extra`: the file has no such tensor; it has `"), "{said}");
        if format == "ptd" {
            let edited = desk.edit(&file, &["--weights", &new, "--add"]);
            let keys = Ptd::parse(&edited).unwrap().keys().unwrap();
            let entry = keys.get("extra").unwrap().unwrap();
            assert_eq!(entry.layout.unwrap().scalar_type, ScalarType::Float);
        } else {
            let said = desk.refused(&file, &["--weights", &new, "--add"]);
            assert!(said.contains("its format no place for more"), "{said}");
        }
    }
}

#[test]
fn what_does_not_fit_is_told_and_nothing_is_written() {
    let desk = Desk::new();
    let one = |name: &str, shape: &[usize], len: usize| {
        let tensor = (Dtype::F32, shape.to_vec(), vec![0; len * 4]);
        let file = desk.file(&format!("{}.safetensors", name.len()));
        let _ = fs::remove_file(&file);
        desk.safetensors(
            &format!("{}.safetensors", name.len()),
            &[(name.to_owned(), tensor)].into(),
        )
    };
    let external = says(0, &["list", &path("pte", "mlp_external_partial.pte")]);
    assert!(external.is_empty());
    let partial = corpus::file("pte", "mlp_external_partial.pte");
    let external = Pte::parse(&partial).unwrap().tensors().unwrap();
    let external = external.iter().find(|tensor| tensor.bytes.is_none()).unwrap();
    let shape: Vec<usize> = external.shape.iter().map(|it| usize::try_from(*it).unwrap()).collect();
    let len = shape.iter().product();
    let cases = [
        ("rten", "mlp_v2.rten", one("b2", &[1, 3], 3), "`b2`: it has the shape [3], not [1, 3]"),
        ("rten", "mlp_v2.rten", one("b2 ", &[3], 3), "`b2 `: the file has no such tensor"),
        ("pte", "mlp_external_partial.pte", one(&external.name, &shape, len), "are changed there"),
        ("ptd", "direct_opaque_blobs.ptd", one("qnn.ctx", &[1], 1), "it is a blob without"),
        ("vpt", "both_empty.vpt", one("x", &[1], 1), "cannot be edited"),
    ];
    for (format, name, new, sentence) in cases {
        let said = desk.refused(&path(format, name), &["--weights", &new]);
        assert!(said.contains(sentence), "{name}: {said}");
    }
    // The same name in two files, and a name for a file that has some.
    let (a, b) = (one("b2", &[3], 3), desk.file("copy.safetensors"));
    fs::copy(&a, &b).unwrap();
    let file = path("rten", "mlp_v2.rten");
    let said = desk.refused(&file, &["--weights", &a, "--weights", &b]);
    assert!(said.contains("`b2`: two new tensors have this name"), "{said}");
    let said = desk.refused(&file, &["--weights", &format!("b2={a}")]);
    assert!(said.contains("names its tensors itself"), "{said}");
    for (bytes, sentence) in [
        (&b""[..], "no file of safetensors, nor of NumPy"),
        (b"PK\x03\x04", "no file of safetensors, nor of NumPy"),
        (b"\x93NUMPY\x01\0", "damaged"),
        (&fs::read(&a).unwrap()[..40], "safetensors"),
    ] {
        let foreign = desk.put("foreign", bytes);
        let said = desk.refused(&file, &["--weights", &foreign]);
        assert!(said.contains(sentence), "{said}");
    }
    // A model with errors is not changed; usage and files that are not there.
    let damaged = desk.put("cut.rten", &fs::read(&file).unwrap()[..1000]);
    desk.refused(&damaged, &["--weights", &a]);
    let out = desk.file("none");
    says(2, &["edit", &file, "-o", &out, "--cast", "--upgrade"]);
    says(2, &["edit", &file, "-o", &out, "--weights", "/nowhere/x.npy"]);
    assert!(!fs::exists(out).unwrap());
}

/// Two names for the same bytes, of which only one would get new ones.
#[test]
fn tensors_that_share_bytes_do_not_change_each_other() {
    let file = corpus::file("rten", "tied_v2.rten");
    let model = Rten::parse(&file).unwrap();
    let tensors = model.tensors().unwrap();
    let ptr = |at: usize| tensors[at].bytes.map(<[u8]>::as_ptr);
    let pairs = (0..tensors.len()).flat_map(|a| (0..a).map(move |b| (b, a)));
    let tied = pairs.into_iter().find(|(a, b)| ptr(*a) == ptr(*b) && ptr(*a).is_some());
    let Some((first, second)) = tied else {
        // The converter has made one constant of both: a change of it is one of both by name.
        return;
    };
    let mut edit = binfmt_formats::rten::Edit::new(&model).unwrap();
    let mut new = vec![tensors[first].clone()];
    let zeros = vec![7; new[0].bytes.unwrap().len()];
    new[0].bytes = Some(&zeros);
    let how = binfmt_formats::weights::Weights::default();
    let errors = edit.set_weights(&new, how).unwrap_err();
    assert!(errors[0].to_string().contains(&tensors[second].name), "{errors:?}");
    let mut both = vec![new[0].clone(), tensors[second].clone()];
    both[1].bytes = Some(&zeros);
    edit.set_weights(&both, how).unwrap();
    edit.to_vec().unwrap();
}

/// What `diff` says of the same change.
#[test]
#[expect(clippy::too_many_lines, reason = "the list of cases is most of it")]
fn differences_are_told_as_a_person_means_them() {
    let desk = Desk::new();
    let said = |args: &[&str], code: i32| {
        let output = Command::new(env!("CARGO_BIN_EXE_binfmt")).arg("diff").args(args).output();
        let output = output.unwrap();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let file = path("rten", "mlp_v2.rten");
    let mut tensors = desk.tensors(&file);
    tensors.retain(|name, _| name == "b2");
    tensors.get_mut("b2").unwrap().2 = f32s(&[0.5, 0.0, 0.0]);
    let old = desk.safetensors("old.safetensors", &tensors);
    tensors.get_mut("b2").unwrap().2 = f32s(&[0.5, 0.25, -2.0]);
    let new = desk.safetensors("new.safetensors", &tensors);
    let old = desk.edit(&file, &["--weights", &old]);
    let new = desk.edit(&file, &["--weights", &new]);
    let (old, new) = (desk.put("old.rten", &old), desk.put("new.rten", &new));
    assert_eq!(said(&[&old, &old], 0), "");
    let text = said(&[&old, &new], 1);
    assert!(text.starts_with("~ tensor b2: other elements\n"), "{text}");
    let text = said(&["--values", &old, &new], 1);
    assert!(text.contains("b2: 2 of 3 elements differ, by 2 at most"), "{text}");
    let line = said(&["--values", "--json", &old, &new], 1);
    let line: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(line["contents"][0]["largest"], 2.0);
    assert!(said(&["--fields", &old, &new], 1).contains("elements"));
    // Shape and type, what is new, and what has another name.
    let built = |tensors: &[(&str, ScalarType, &[u64], &[u8])]| {
        let mut file = Builder::new();
        for (name, ty, shape, bytes) in tensors {
            file.tensor(name, *ty, shape, bytes).unwrap();
        }
        file.to_vec().unwrap()
    };
    let (four, other) = (&[1, 2, 3, 4][..], &[5, 6, 7, 8][..]);
    let a = built(&[
        ("w", ScalarType::Byte, &[4], four),
        ("gone", ScalarType::Byte, &[1], &[9]),
        ("old.name", ScalarType::Byte, &[4], other),
        ("same", ScalarType::Byte, &[1], &[3]),
    ]);
    let b = built(&[
        ("w", ScalarType::Char, &[2, 2], four),
        ("new.name", ScalarType::Byte, &[4], other),
        ("new", ScalarType::Byte, &[2], &[1, 2]),
        ("same", ScalarType::Byte, &[1], &[3]),
    ]);
    let text = said(&[&desk.put("a.ptd", &a), &desk.put("b.ptd", &b)], 1);
    for line in [
        "~ tensor w: shape [4] becomes [2,2]; type u8 becomes i8",
        "- tensor gone: u8[1], 1 bytes",
        "> tensor old.name: now new.name",
        "+ tensor new: u8[2], 2 bytes",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    // Programs: a method that does more; GPU code: by architecture and name.
    let text = said(&[&path("pte", "mlp.pte"), &path("pte", "add_mul.pte")], 1);
    assert!(text.contains("~ method forward: inputs f32[1,4]"), "{text}");
    assert!(text.contains("aten::addmm.out become 0"), "{text}");
    let (one, two) = (path("fatbin", "n13_multi.fatbin"), path("fatbin", "n12_multi.fatbin"));
    let text = said(&[&one, &two], 1);
    assert!(text.contains(" elf ") && text.contains("sm_80"), "{text}");
    // What is in no tensor and no method is told by its fields.
    let table = corpus::file("vpt", "d16_two_pkg.vpt");
    let mut other = table.clone();
    other[12] ^= 1;
    let text = said(&[&desk.put("a.vpt", &table), &desk.put("b.vpt", &other)], 1);
    assert!(text.contains("vendor"), "{text}");
}
