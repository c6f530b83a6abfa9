//! `ExecuTorch` programs with other segments, and with a header of another length.

use std::time::Duration;

use binfmt_formats::pte::call::{
    Call, Chain, CompileSpec, Delegate, DelegateCall, FreeCall, Instruction, JumpFalseCall,
    KernelCall,
};
use binfmt_formats::pte::edit::EditError;
use binfmt_formats::pte::kind::TensorLocation;
use binfmt_formats::pte::program::{InlineData, NamedData, Subsegments};
use binfmt_formats::pte::value::{BoolList, DoubleList, IntList, Slot, TensorList};
use binfmt_formats::pte::{Edit, Plan, Program, Pte, Value};
use binfmt_runtime::{BinFormat as _, FbRef, FbVec, FlatBuild as _, Severity};
use cpu_time::ProcessTime;
use serde_json::Value as Json;

use crate::corpus::{self, Sample};
use crate::laws;
use crate::pte_facts::{programs, told};

/// What stays the same when a program is written anew: everything but places.
fn lasting(bytes: &[u8]) -> Json {
    let mut told = told(&Pte::parse(bytes).unwrap());
    let object = told.as_object_mut().unwrap();
    for key in ["root_offset", "extended_header"] {
        object.remove(key);
    }
    for segment in told["segments"].as_array_mut().unwrap() {
        segment.as_object_mut().unwrap().remove("offset");
    }
    told
}

/// The bytes of every tensor that has some in the file.
fn tensors(bytes: &[u8]) -> Vec<String> {
    let pte = Pte::parse(bytes).unwrap();
    let program = pte.program().unwrap();
    let plans: Vec<_> = program.plans().iter().map(Result::unwrap).collect();
    let slots = plans.iter().flat_map(|plan| plan.values().iter().collect::<Vec<_>>());
    let tensors = slots.filter_map(|slot| slot.unwrap().value?.tensor());
    tensors.filter_map(|tensor| pte.tensor_bytes(&program, &tensor)).map(corpus::sha256).collect()
}

/// A changed program, without any finding but that constants lie in the buffer.
#[track_caller]
fn written(edit: &Edit<'_>) -> Vec<u8> {
    let bytes = edit.to_vec().unwrap();
    let report = Pte::validate(&bytes);
    let others = report
        .findings()
        .iter()
        .filter(|finding| finding.code != "pte.program.constant-buffer.inline");
    assert_eq!(others.count(), 0, "{report}");
    laws::hold::<Pte<'_>>(&bytes, ());
    bytes
}

/// Where the blobs of delegates and the constants in the buffer begin in the file.
fn inside(bytes: &[u8]) -> Vec<usize> {
    let program = Pte::parse(bytes).unwrap().program().unwrap();
    let blobs = program.backend_delegate_data.unwrap_or_default();
    let blobs = blobs.iter().map(|blob| blob.unwrap().bytes());
    let constants = program.constant_buffer.unwrap_or_default();
    let constants = constants.iter().map(|constant| constant.unwrap().bytes());
    let all = blobs.chain(constants).filter(|part| !part.is_empty());
    all.map(|part| part.as_ptr().addr() - bytes.as_ptr().addr()).collect()
}

#[test]
fn a_program_written_anew_says_the_same() {
    let (mut written_anew, mut in_the_buffer) = (0, 0);
    for Sample { name, bytes, .. } in programs() {
        let pte = Pte::parse(&bytes).unwrap();
        let mut edit = Edit::new(&pte).unwrap();
        for align in [16, 128, 4096] {
            edit.set_align(align).unwrap();
            let made = written(&edit);
            assert_eq!(lasting(&made), lasting(&bytes), "{name}");
            assert_eq!(tensors(&made), tensors(&bytes), "{name}");
            let again = Pte::parse(&made).unwrap();
            let filled = pte.header().is_some();
            assert_eq!(again.header().is_some(), filled, "{name}");
            let base = again.header().map_or(0, |header| header.segment_base);
            assert!(base.is_multiple_of(align), "{name}");
            for segment in again.program().unwrap().segments().iter().map(Result::unwrap) {
                assert!(segment.size == 0 || segment.offset.is_multiple_of(align), "{name}");
            }
            assert!(inside(&made).iter().all(|at| at.is_multiple_of(16)), "{name}");
        }
        written_anew += 1;
        in_the_buffer += usize::from(!inside(&bytes).is_empty());
    }
    assert!(written_anew > 40 && in_the_buffer > 6, "{written_anew}, {in_the_buffer}");
}

#[test]
fn segments_keep_the_alignment_of_the_file() {
    for (name, align) in [("mlp_align16.pte", 16), ("mlp.pte", 128), ("mlp_align4096.pte", 4096)] {
        let bytes = corpus::file("pte", name);
        let mut edit = Edit::new(&Pte::parse(&bytes).unwrap()).unwrap();
        edit.add_named("key", b"bytes").unwrap();
        let made = written(&edit);
        let again = Pte::parse(&made).unwrap();
        let base = again.header().unwrap().segment_base;
        let segments: Vec<_> =
            again.program().unwrap().segments().iter().map(Result::unwrap).collect();
        let last = segments.last().unwrap().offset;
        assert!(base.is_multiple_of(align) && last.is_multiple_of(align), "{name}");
        assert!(last < 268 + align, "{name}: {last}");
    }
}

/// Where a file happens to lie on larger multiples, that is no reason to go on so.
#[test]
fn segments_are_aligned_to_no_more_than_tools_do() {
    let mut bytes = corpus::file("pte", "mlp.pte");
    let base = 0x20000_u64;
    let old = u64::from_le_bytes(bytes[24..32].try_into().unwrap());
    let at = usize::try_from(old).unwrap();
    bytes.splice(at..at, vec![0; usize::try_from(base - old).unwrap()]);
    bytes[24..32].copy_from_slice(&base.to_le_bytes());
    assert!(Pte::validate(&bytes).is_ok());
    let mut edit = Edit::new(&Pte::parse(&bytes).unwrap()).unwrap();
    edit.add_named("key", b"bytes").unwrap();
    let made = written(&edit);
    let again = Pte::parse(&made).unwrap();
    assert_eq!(again.header().unwrap().segment_base, 1 << 16);
    let last = again.program().unwrap().segments().iter().map(Result::unwrap).last().unwrap();
    assert_eq!(last.offset, 1 << 16);
}

#[test]
fn constants_move_into_a_segment() {
    let mut moved = 0;
    for Sample { name, bytes, .. } in programs() {
        let pte = Pte::parse(&bytes).unwrap();
        let mut edit = Edit::new(&pte).unwrap();
        let inline = pte.program().unwrap().constant_buffer.unwrap_or_default().count();
        assert_eq!(edit.move_constants().unwrap(), inline > 0, "{name}");
        if inline == 0 {
            continue;
        }
        let made = written(&edit);
        assert_eq!(tensors(&made), tensors(&bytes), "{name}");
        let program = Pte::parse(&made).unwrap().program().unwrap();
        let offsets = program.constants().unwrap().offsets;
        assert_eq!(offsets.count(), inline, "{name}");
        assert!(offsets.iter().all(|offset| offset.unwrap().is_multiple_of(16)), "{name}");
        moved += 1;
    }
    assert_eq!(moved, 5);
}

#[test]
fn data_is_added_replaced_and_dropped_by_key() {
    let plain = corpus::file("pte", "mlp.pte");
    let mut edit = Edit::new(&Pte::parse(&plain).unwrap()).unwrap();
    for key in ["one", "two", "three", "four"] {
        edit.add_named(key, key.as_bytes()).unwrap();
    }
    let bytes = written(&edit);
    let mut edit = Edit::new(&Pte::parse(&bytes).unwrap()).unwrap();
    edit.add_named("metadata.author", b"somebody").unwrap();
    edit.replace_segment(3, &[7; 4000]).unwrap();
    edit.replace_named("one", b"other bytes").unwrap();
    assert_eq!(edit.replace_named("frist", b""), Err(EditError::NoKey("frist".to_owned())));
    assert_eq!(edit.add_named("one", b""), Err(EditError::KeyExists("one".to_owned())));
    edit.drop_named("two").unwrap();
    assert_eq!(edit.drop_named("two"), Err(EditError::NoKey("two".to_owned())));
    assert_eq!(edit.replace_segment(8, b""), Err(EditError::NoSegment(8)));
    for align in [0, 8, 24, 1 << 17, 1 << 62] {
        assert_eq!(edit.set_align(align), Err(EditError::Align(align)));
    }
    let made = written(&edit);
    let pte = Pte::parse(&made).unwrap();
    let program = pte.program().unwrap();
    let named = program.named_data().iter().map(|named| named.unwrap().key.unwrap());
    assert_eq!(named.collect::<Vec<_>>(), ["one", "three", "four", "metadata.author"]);
    for (key, bytes) in [
        ("one", &b"other bytes"[..]),
        ("three", &[7; 4000]),
        ("four", b"four"),
        ("metadata.author", b"somebody"),
    ] {
        assert_eq!(pte.named_bytes(&program, key), Some(bytes), "{key}");
    }
    // What nothing names any more has no bytes.
    assert_eq!(pte.segment_at(&program, 2), Some(&[][..]));
}

/// A program with one byte more or less is another one: what does not move stays where it is.
#[test]
fn an_edit_changes_what_it_says_and_nothing_else() {
    let mut changed = 0;
    for Sample { name, bytes, .. } in programs() {
        let pte = Pte::parse(&bytes).unwrap();
        assert_eq!(Edit::new(&pte).unwrap().to_vec().unwrap(), bytes, "{name}: no edit");
        let program = pte.program().unwrap();
        for plan in program.methods().iter().map(Result::unwrap) {
            for slot in plan.values().iter().map(Result::unwrap) {
                let Some(tensor) = slot.value.and_then(|value| value.tensor()) else { continue };
                let Some(old) = pte.tensor_bytes(&program, &tensor) else { continue };
                let range = pte.tensor_range(&program, &tensor).unwrap();
                let range =
                    usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap();
                assert_eq!(&bytes[range.clone()], old, "{name}");
                let new: Vec<u8> = old.iter().map(|byte| byte ^ 1).collect();
                let mut edit = Edit::new(&pte).unwrap();
                edit.set_tensor(&tensor, &new).unwrap();
                let made = written(&edit);
                let mut expected = bytes.clone();
                expected[range].copy_from_slice(&new);
                assert_eq!(made, expected, "{name}");
                let len =
                    EditError::Len { expected: new.len() as u64, found: new.len() as u64 + 1 };
                let longer = [&new[..], &[0]].concat();
                assert_eq!(edit.set_tensor(&tensor, longer), Err(len), "{name}");
                changed += 1;
            }
        }
        for index in 0..program.segments().count() {
            let old = pte.segment_at(&program, index).unwrap();
            let mut edit = Edit::new(&pte).unwrap();
            edit.replace_segment(index, old).unwrap();
            assert_eq!(edit.to_vec().unwrap(), bytes, "{name}: segment {index}");
        }
    }
    assert!(changed > 80, "{changed}");
}

#[test]
fn an_edit_that_breaks_a_rule_fails() {
    let bytes = corpus::file("pte", "mlp.pte");
    let mut edit = Edit::new(&Pte::parse(&bytes).unwrap()).unwrap();
    edit.replace_segment(0, b"abc").unwrap();
    assert!(matches!(edit.to_vec(), Err(EditError::Broken(_))));
    assert_eq!(edit.set_constant(99, b""), Err(EditError::NoConstant(99)));
    let none = EditError::NoState { list: 0, index: 1 };
    assert_eq!(edit.set_state(0, 1, b""), Err(none));
}

/// Two segments of the same bytes are two once one of them is changed.
#[test]
fn segments_that_share_bytes_part_when_one_changes() {
    let bytes = corpus::file("pte", "mlp_xnnpack.pte");
    let pte = Pte::parse(&bytes).unwrap();
    let program = pte.program().unwrap();
    let old: Vec<_> = program.segments().iter().map(Result::unwrap).collect();
    // A second key for the bytes of the first one.
    let mut segments = old.clone();
    segments.push(old[2].clone());
    let mut named: Vec<_> = program.named_data().iter().map(Result::unwrap).collect();
    let first = named[0].key.unwrap();
    named.push(NamedData { key: Some("again"), segment_index: 6 });
    let shared = Program {
        segments: Some(FbVec::from(&segments[..])),
        named_data: Some(FbVec::from(&named[..])),
        ..program.clone()
    };
    let tables = shared.to_buffer().unwrap();
    let Pte::Extended(header) = &pte else { panic!("it has a header") };
    let buffer = binfmt_runtime::FlatBuffer::parse(&tables).unwrap();
    let end = 40 + buffer.behind(8).unwrap().bytes().len() as u64;
    let gap = vec![0; usize::try_from(end.next_multiple_of(128) - end).unwrap()];
    let mut file = header.clone();
    file.program = buffer.behind(8).unwrap();
    file.program_size = end;
    file.segment_base = end.next_multiple_of(128);
    file.gap = &gap;
    let file = file.to_vec().unwrap();
    assert!(Pte::validate(&file).is_ok(), "{}", Pte::validate(&file));
    let pte = Pte::parse(&file).unwrap();
    let mut edit = Edit::new(&pte).unwrap();
    let before = pte.named_bytes(&pte.program().unwrap(), "again").unwrap();
    edit.replace_named("again", vec![1; before.len()]).unwrap();
    let made = written(&edit);
    let pte = Pte::parse(&made).unwrap();
    let program = pte.program().unwrap();
    assert_eq!(pte.named_bytes(&program, first), Some(before));
    assert_eq!(pte.named_bytes(&program, "again"), Some(&vec![1; before.len()][..]));
}

#[test]
fn a_short_header_grows_in_its_place() {
    let mut grown = 0;
    for Sample { name, bytes, .. } in programs() {
        let pte = Pte::parse(&bytes).unwrap();
        let Some(header) = pte.header() else { continue };
        assert_eq!(header.with_data_size().is_some(), header.header_len == 24, "{name}");
        let Some(long) = header.with_data_size() else { continue };
        let made = long.to_vec().unwrap();
        let changed = bytes.iter().zip(&made).enumerate().filter(|(_, (a, b))| a != b);
        assert!(changed.map(|(at, _)| at).all(|at| at == 12 || (32..40).contains(&at)), "{name}");
        assert_eq!(made.len(), bytes.len(), "{name}");
        let report = Pte::validate(&made);
        let warnings = report
            .findings()
            .iter()
            .filter(|finding| finding.code != "pte.program.constant-buffer.inline");
        assert_eq!(warnings.count(), 0, "{name}: {report}");
        assert_eq!(lasting(&made), lasting(&bytes), "{name}");
        // A file that is cut is now noticed by the header alone.
        let cut = Pte::validate(&made[..made.len() - 1]);
        assert!(
            cut.errors().any(|error| error.code == "pte.extended.data-size.cut"),
            "{name}: {cut}"
        );
        grown += 1;
    }
    assert_eq!(grown, 9);
}

/// A program of the corpus, and its first method.
fn first_plan(name: &str) -> (Program<'static>, Plan<'static>) {
    let bytes: &'static [u8] = corpus::file("pte", name).leak();
    let program = Pte::parse(bytes).unwrap().program().unwrap();
    let plan = program.plans().get(0).unwrap().unwrap();
    (program, plan)
}

/// The buffer of a program with this method alone, without segments, whatever is wrong with it.
fn with_plan<'a>(program: &Program<'a>, plan: Plan<'a>) -> Vec<u8> {
    let plans = [plan];
    let program = Program { plans: Some(FbVec::from(&plans[..])), ..program.clone() };
    program.to_buffer_unruled().unwrap()
}

/// The same with these instructions.
fn with_calls(name: &str, calls: Option<&[Instruction<'_>]>) -> Vec<u8> {
    let (program, plan) = first_plan(name);
    let chain = plan.chains().get(0).unwrap().unwrap();
    let chains = [Chain { instructions: calls.map(FbVec::from), ..chain }];
    with_plan(&program, Plan { chains: Some(FbVec::from(&chains[..])), ..plan })
}

/// The same with one value more.
fn with_value(name: &str, value: Value<'_>) -> Vec<u8> {
    let (program, plan) = first_plan(name);
    let mut values: Vec<_> = plan.values().iter().map(Result::unwrap).collect();
    values.push(Slot { value: Some(value) });
    with_plan(&program, Plan { values: Some(FbVec::from(&values[..])), ..plan })
}

/// A call without its arguments.
fn without_arguments(call: Call<'_>) -> [Instruction<'_>; 1] {
    [Instruction { call: Some(call) }]
}

/// A runtime tells an absent list from an empty one; `tests/reference/executorch` has asked it.
#[test]
fn lists_that_a_runtime_asks_for_must_be_stored() {
    let (program, plan) = first_plan("add_mul.pte");
    let plan_without = |change: fn(&mut Plan<'_>)| {
        let mut plan = plan.clone();
        change(&mut plan);
        with_plan(&program, plan)
    };
    let list = |value| with_value("add_mul.pte", value);
    let kernel = KernelCall { op_index: 0, args: None };
    let kernel = without_arguments(Call::Kernel(FbRef::from(&kernel)));
    let delegate = DelegateCall { delegate_index: 0, args: None };
    let delegate = without_arguments(Call::Delegate(FbRef::from(&delegate)));
    let cases = [
        ("pte.plan.inputs.missing", plan_without(|plan| plan.inputs = None)),
        ("pte.plan.outputs.missing", plan_without(|plan| plan.outputs = None)),
        ("pte.plan.delegates.missing", plan_without(|plan| plan.delegates = None)),
        (
            "pte.plan.non-const-buffer-sizes.missing",
            plan_without(|plan| plan.non_const_buffer_sizes = None),
        ),
        ("pte.plan.chains.missing", plan_without(|plan| plan.chains = Some(FbVec::default()))),
        ("pte.chain.instructions.missing", with_calls("add_mul.pte", None)),
        ("pte.kernel-call.args.missing", with_calls("add_mul.pte", Some(&kernel))),
        ("pte.delegate-call.args.missing", with_calls("mlp_xnnpack.pte", Some(&delegate))),
        ("pte.int-list.items.missing", list(Value::IntList(IntList { items: None }))),
        ("pte.double-list.items.missing", list(Value::DoubleList(DoubleList { items: None }))),
        ("pte.bool-list.items.missing", list(Value::BoolList(BoolList { items: None }))),
        ("pte.tensor-list.items.missing", list(Value::TensorList(TensorList { items: None }))),
        ("pte.compile-spec.value.missing", option_without_value()),
        ("pte.inline-data.data.missing", blob_without_bytes()),
    ];
    for (code, bytes) in cases {
        let report = Pte::validate(&bytes);
        assert!(report.errors().any(|error| error.code == code), "{code}: {report}");
        laws::hold::<Pte<'_>>(&bytes, ());
    }
    // What is empty is stored when a program is written anew, and is no error.
    assert!(Pte::validate(&plan_without(|_| {})).findings().is_empty());
    let empty = list(Value::IntList(IntList { items: Some(FbVec::default()) }));
    assert!(Pte::validate(&empty).findings().is_empty());
}

fn option_without_value() -> Vec<u8> {
    let (program, plan) = first_plan("mlp_xnnpack.pte");
    let specs = [CompileSpec { key: Some("key"), value: None }];
    let delegate = plan.delegates().get(0).unwrap().unwrap();
    let delegates = [Delegate { compile_specs: FbVec::from(&specs[..]), ..delegate }];
    with_plan(&program, Plan { delegates: Some(FbVec::from(&delegates[..])), ..plan })
}

fn blob_without_bytes() -> Vec<u8> {
    let (program, _) = first_plan("add_mul_xnnpack_inline_noseg.pte");
    let blobs = [InlineData { data: None }];
    let blobs = Some(FbVec::from(&blobs[..]));
    Program { backend_delegate_data: blobs, ..program }.to_buffer_unruled().unwrap()
}

const JUMP: &str = "pte.jump-false-call.destination-instruction.range";

#[test]
fn methods_of_one_name_and_jumps_out_of_a_chain_are_told() {
    let (program, plan) = first_plan("cond_control_flow.pte");
    let twice = [plan.clone(), plan.clone()];
    let twice = Program { plans: Some(FbVec::from(&twice[..])), ..program.clone() };
    let bytes = twice.to_buffer().unwrap();
    let report = Pte::validate(&bytes);
    let told: Vec<_> = report
        .findings()
        .iter()
        .filter(|finding| finding.code == "pte.plan.name.repeated")
        .collect();
    let [finding] = told[..] else { panic!("{report}") };
    assert_eq!(finding.severity, Severity::Warning);
    assert_eq!(finding.path.as_str(), "program.plans[1].name");
    let name = usize::try_from(finding.start).unwrap()..usize::try_from(finding.end).unwrap();
    assert_eq!(&bytes[name], b"forward");
    let chain = plan.chains().get(0).unwrap().unwrap();
    let last = i32::try_from(chain.instructions().count()).unwrap();
    for (destination, errors) in [(last, 0), (last + 1, 1), (-1, 1)] {
        let jump = JumpFalseCall { cond_value_index: 0, destination_instruction: destination };
        let calls = [Call::JumpFalse(FbRef::from(&jump))];
        let mut calls: Vec<_> =
            calls.into_iter().map(|call| Instruction { call: Some(call) }).collect();
        calls.extend(chain.instructions().iter().map(Result::unwrap).skip(1));
        let report = Pte::validate(&with_calls("cond_control_flow.pte", Some(&calls)));
        let told = report.errors().filter(|error| error.code == JUMP).count();
        assert_eq!(told, errors, "{destination}: {report}");
    }
}

#[test]
fn values_that_calls_name_are_there() {
    let free = |value_index| FreeCall { value_index };
    let (good, bad, negative) = (free(0), free(99), free(-1));
    for (call, told) in [(&good, false), (&bad, true), (&negative, true)] {
        let calls = [Instruction { call: Some(Call::Free(FbRef::from(call))) }];
        let report = Pte::validate(&with_calls("add_mul.pte", Some(&calls)));
        let found = report.errors().find(|error| error.code == "pte.free-call.value-index.range");
        assert_eq!(found.is_some(), told, "{report}");
        if let Some(found) = found {
            let path = "program.plans[0].chains[0].instructions[0].call.value_index";
            assert_eq!(found.path.as_str(), path);
        }
    }
}

#[test]
fn first_states_lie_in_a_segment_that_is_there() {
    let (program, plan) = first_plan("kv_cache_mutable_init.pte");
    let told = |segment_index| {
        let lists: Vec<_> = program.mutable_data_segments.unwrap().iter().flatten().collect();
        let lists: Vec<_> =
            lists.into_iter().map(|list| Subsegments { segment_index, ..list }).collect();
        let program =
            Program { mutable_data_segments: Some(FbVec::from(&lists[..])), ..program.clone() };
        let report = Pte::validate(&with_plan(&program, plan.clone()));
        let code = "pte.extra-info.mutable-data-segments-idx.segment";
        report.errors().filter(|error| error.code == code).count()
    };
    let own = program.mutable_data_segments.unwrap().get(0).unwrap().unwrap().segment_index;
    assert_eq!(told(own), 0);
    assert!(told(99) > 0);
}

#[test]
fn a_place_that_is_none_is_that_in_the_file() {
    let told = |location| {
        let (program, plan) = first_plan("kv_cache_mutable_init.pte");
        let mut values: Vec<_> = plan.values().iter().map(Result::unwrap).collect();
        let mut tensor = values[1].value.as_ref().unwrap().tensor().unwrap();
        tensor.extra_tensor_info.as_mut().unwrap().location = location;
        values[1] = Slot { value: Some(Value::Tensor(FbRef::from(&tensor))) };
        let bytes = with_plan(&program, Plan { values: Some(FbVec::from(&values[..])), ..plan });
        let report = Pte::validate(&bytes);
        let told = report
            .findings()
            .iter()
            .find(|finding| finding.code == "pte.extra-info.location.known");
        told.map(|finding| finding.severity)
    };
    assert_eq!(told(TensorLocation::Segment), None);
    assert_eq!(told(TensorLocation::Other(2)), Some(Severity::Warning));
}

#[test]
fn weights_are_not_looked_at() {
    let bytes = corpus::file("pte", "mlp.pte");
    let pte = Pte::parse(&bytes).unwrap();
    let weights = vec![0xA5; 100 << 20];
    let mut edit = Edit::new(&pte).unwrap();
    edit.add_named("weights", &weights).unwrap();
    let made = edit.to_vec().unwrap();
    let start = ProcessTime::now();
    for _ in 0..10 {
        assert!(Pte::validate(&made).findings().is_empty());
        assert!(Pte::is_valid(&made));
    }
    // Looking at every byte once would take longer by far, without optimisation.
    assert!(start.elapsed() < Duration::from_millis(500), "{:?}", start.elapsed());
}
