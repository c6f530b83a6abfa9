//! What the pages of the library promise, one statement after the other, as a user would try it.

use binfmt_formats::fatbin::codec::{self, Codec};
use binfmt_formats::fatbin::{self, Container, Draft, Entry, Kind, file, payload};
use binfmt_formats::ptd::Ptd;
use binfmt_formats::pte::{self, Method, Pte, Storage, Value};
use binfmt_formats::rten::{self, Rten};
use binfmt_formats::{ptd, tensor};
use binfmt_runtime::BinFormat as _;

use crate::corpus;

/// The files of a format that have no errors.
fn good(format: &'static str) -> Vec<corpus::Sample> {
    let is_good = |sample: &corpus::Sample| match format {
        "pte" => !corpus::has_ending(&sample.name, "bpte") && Pte::validate(&sample.bytes).is_ok(),
        "ptd" => Ptd::validate(&sample.bytes).is_ok(),
        _ => Rten::validate(&sample.bytes).is_ok(),
    };
    let mut samples = corpus::samples(format);
    samples.retain(is_good);
    assert!(samples.len() > 3, "{format}");
    samples
}

#[test]
fn an_edit_without_edits_gives_the_same_bytes() {
    for sample in good("pte") {
        let edit = pte::Edit::new(&Pte::parse(&sample.bytes).unwrap()).unwrap();
        assert!(edit.to_vec().unwrap() == sample.bytes, "{}", sample.name);
        assert!(edit.pieces(&sample.bytes).unwrap().to_vec() == sample.bytes, "{}", sample.name);
    }
    for sample in good("ptd") {
        let edit = ptd::Edit::new(&Ptd::parse(&sample.bytes).unwrap()).unwrap();
        assert!(edit.to_vec().unwrap() == sample.bytes, "{}", sample.name);
    }
    for sample in good("rten") {
        let edit = rten::Edit::new(&Rten::parse(&sample.bytes).unwrap()).unwrap();
        assert!(edit.to_vec().unwrap() == sample.bytes, "{}", sample.name);
    }
}

/// In a segment and inline: the elements of every constant of every program.
#[test]
fn constants_of_programs_are_set_by_their_index() {
    let (mut segment, mut inline) = (0, 0);
    for sample in good("pte") {
        let pte = Pte::parse(&sample.bytes).unwrap();
        let program = pte.program().unwrap();
        for (method, value) in
            program.methods().iter().flatten().flat_map(|method| {
                method.values().iter().flatten().map(move |it| (method.clone(), it))
            })
        {
            let Some(Value::Tensor(tensor)) = value.value else { continue };
            let tensor = tensor.get().unwrap();
            let Storage::Constant { index } = tensor.storage() else { continue };
            let (old, range) = (
                pte.tensor_bytes(&program, &tensor).unwrap(),
                pte.tensor_range(&program, &tensor).unwrap(),
            );
            let place = usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap();
            assert_eq!(&sample.bytes[place.clone()], old);
            assert_eq!(tensor.byte_len(), Some(range.end - range.start));
            let new: Vec<u8> = old.iter().map(|byte| byte ^ 1).collect();
            let mut edit = pte::Edit::new(&pte).unwrap();
            edit.set_constant(index, new.clone()).unwrap();
            // Nothing but these bytes changes.
            let mut expected = sample.bytes.clone();
            expected[place].copy_from_slice(&new);
            assert!(edit.to_vec().unwrap() == expected, "{} {:?}", sample.name, method.name);
            assert!(edit.set_constant(index, vec![0; new.len() + 1]).is_err());
            assert!(edit.set_constant(u32::MAX, new).is_err());
            if program.has_constant_segment() { segment += 1 } else { inline += 1 }
        }
    }
    assert!(segment > 50 && inline > 5, "{segment} {inline}");
}

#[test]
fn constants_of_models_are_set_by_their_index() {
    for sample in good("rten") {
        let model = Rten::parse(&sample.bytes).unwrap();
        for (constant, index) in model.constants().flatten().zip(0..) {
            let mut edit = rten::Edit::new(&model).unwrap();
            let same = constant.bytes.unwrap();
            edit.set_constant(index, same).unwrap();
            assert!(edit.to_vec().unwrap() == sample.bytes, "{}", sample.name);
            assert!(edit.set_constant(index, [same, &[0]].concat()).is_err());
        }
    }
}

#[test]
fn an_edit_that_breaks_a_rule_fails() {
    for sample in good("pte") {
        let pte = Pte::parse(&sample.bytes).unwrap();
        let program = pte.program().unwrap();
        let Some(list) = program.constants() else { continue };
        let held = list.offsets.iter().flatten().max().unwrap_or(0);
        if held < 3 {
            continue;
        }
        let mut edit = pte::Edit::new(&pte).unwrap();
        edit.replace_segment(list.segment_index.into(), vec![1, 2, 3]).unwrap();
        let error = edit.to_vec().unwrap_err();
        assert!(matches!(error, pte::EditError::Broken(_)), "{}: {error}", sample.name);
    }
}

#[test]
fn the_bytes_of_every_delegate_are_there() {
    let mut count = 0;
    for sample in good("pte") {
        let pte = Pte::parse(&sample.bytes).unwrap();
        let program = pte.program().unwrap();
        for delegate in program.methods().iter().flatten().flat_map(|it| it.delegates().iter()) {
            let bytes = pte.delegate_bytes(&program, &delegate.unwrap()).unwrap();
            assert!(!bytes.is_empty() && pte.range_of(bytes).is_some(), "{}", sample.name);
            count += 1;
        }
    }
    assert!(count > 10, "{count}");
}

/// With every codec: encoded, put into an entry that says so by the type, and decoded again.
#[test]
fn payloads_are_encoded_and_typed() {
    let code = b"some code that is not very long, not very long".repeat(8);
    for codec in Codec::ALL {
        let stored = codec::encode(codec, &code).unwrap();
        let len = u64::try_from(code.len()).unwrap();
        let entry = Entry::compressed(Kind::Nvvm, 90, codec, &stored, len);
        assert_eq!((entry.flags.codec(), Codec::named(codec.name())), (codec, Some(codec)));
        if codec != Codec::None {
            assert_eq!(payload::decode(&entry, payload::DEFAULT_LIMIT).unwrap(), code);
        }
    }
}

#[test]
fn containers_are_built_in_a_loop_and_listed_in_one() {
    let codes: Vec<Vec<u8>> = (0_u8..5).map(|at| vec![at; 24]).collect();
    let mut whole = Vec::new();
    for pair in codes.chunks(2) {
        let mut drafts = Vec::new();
        for code in pair {
            drafts.push(Draft::new(Kind::Nvvm, "sm_90a".parse().unwrap(), code));
        }
        whole.extend(fatbin::container(&drafts).unwrap());
    }
    let mut plain = Vec::new();
    for code in &codes {
        plain.push(Entry::plain(Kind::Nvvm, 80, code));
    }
    whole.extend(Container::new(&plain).to_vec().unwrap());
    // A parse of the first container would hide three of the four.
    let found: Vec<_> = file::entries(&whole).unwrap().collect::<Result<_, _>>().unwrap();
    let payloads = found.iter().map(|it| it.entry.payload);
    assert!(payloads.eq(codes.iter().chain(&codes).map(Vec::as_slice)));
    let archs: Vec<_> = found.iter().map(|it| it.entry.architecture().to_string()).collect();
    assert_eq!((archs[0].as_str(), archs[9].as_str()), ("sm_90a", "sm_80"));
}

/// Tensors of all formats are one type, with one kind of shape and of length.
#[test]
fn tensors_of_all_formats_are_alike() {
    fn check(tensors: &[tensor::Tensor<'_>], name: &str) {
        for tensor in tensors.iter().filter(|tensor| tensor.scalar_type.is_some()) {
            let elements: u64 = tensor.shape.iter().product();
            assert_eq!(tensor.elements(), Some(elements), "{name}");
            let size = tensor.scalar_type.unwrap().size().unwrap();
            let found = tensor.bytes.map(|bytes| u64::try_from(bytes.len()).unwrap());
            assert!(found.is_none_or(|found| found == elements * size), "{name}: {tensor:?}");
        }
    }
    for sample in good("pte") {
        check(&Pte::parse(&sample.bytes).unwrap().tensors().unwrap(), &sample.name);
    }
    for sample in good("ptd") {
        check(&Ptd::parse(&sample.bytes).unwrap().tensors().unwrap(), &sample.name);
    }
    for sample in good("rten") {
        check(&Rten::parse(&sample.bytes).unwrap().tensors().unwrap(), &sample.name);
    }
}

/// The names under which users look for things, and what is printed of them.
#[test]
fn names_are_those_of_users_and_what_is_printed_can_be_read() {
    let file = corpus::file("pte", "mlp.pte");
    let pte = Pte::parse(&file).unwrap();
    let program = pte.program().unwrap();
    let method: Method<'_> = program.method("forward").unwrap();
    assert_eq!(method.values().count(), 20);
    let segment = program.segments().get(0).unwrap().unwrap();
    assert_eq!(pte.segment(&segment).unwrap().len(), 268);
    let tensor = method.value(0).unwrap().tensor().unwrap();
    assert_eq!(tensor.shape().collect::<Vec<_>>(), [8, 4]);
    let printed = format!("{:?}", tensor.storage());
    assert_eq!(printed, "Constant { index: 1 }");
    let printed = format!("{tensor:?}");
    assert!(printed.contains("sizes: Some([Ok(8), Ok(4)])"), "{printed}");
}
