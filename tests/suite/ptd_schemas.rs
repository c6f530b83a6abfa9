//! The two schemas of `ExecuTorch` tensor data, which have one identifier and one version.

use binfmt_formats::ptd::{
    Builder, DataSegment, Edit, Entry, NamedData06, Ptd, ScalarType, Tables, TensorMetadata,
};
use binfmt_runtime::{BinFormat, FbVec, FlatBuild as _, Placed};

use crate::laws;

/// The root of 0.6, as far as a file stores it.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, identifier = b"FT01")]
struct Old<'a> {
    #[bin(slot = 0)]
    version: u32,
    #[bin(slot = 1)]
    tensor_alignment: u32,
    #[bin(slot = 2)]
    tensors: Option<FbVec<'a, TensorMetadata<'a>>>,
    #[bin(slot = 3)]
    segments: Option<FbVec<'a, DataSegment>>,
    #[bin(slot = 4)]
    named_data: Option<FbVec<'a, NamedData06<'a>>>,
    /// What no release has.
    #[bin(slot = 5)]
    more: u32,
}

/// A file with these tables in front of these bytes.
pub(crate) fn file(buffer: &[u8], data: &[u8]) -> Vec<u8> {
    let (head, rest) = buffer.split_at(8);
    let root = u32::from_le_bytes(*head.first_chunk().unwrap()) + 48;
    let end = 48 + buffer.len();
    let base = end.next_multiple_of(16);
    let mut file = [&root.to_le_bytes(), &head[4..], b"FH01", &40_u32.to_le_bytes()].concat();
    for number in [48, buffer.len(), base, data.len()] {
        file.extend((number as u64).to_le_bytes());
    }
    file.extend([0; 8]);
    file.extend(rest);
    file.resize(base, 0);
    file.extend(data);
    file
}

fn segment(offset: u64, size: u64) -> DataSegment {
    DataSegment { offset: Placed::from(offset), size: Placed::from(size) }
}

fn tensor(
    name: &'static str,
    scalar_type: ScalarType,
    sizes: &'static [i32],
    (segment, offset): (u32, u64),
) -> TensorMetadata<'static> {
    TensorMetadata {
        name: Placed::from(name),
        scalar_type,
        sizes: FbVec::from(sizes),
        dim_order: &[0, 1, 2][..sizes.len()],
        segment_index: Placed::from(segment),
        offset: Placed::from(offset),
    }
}

const DATA: &[u8; 48] = b"\0\0\x80\x3f\0\0\0\x40\0\0\0\0\0\0\0\0\x01\x02\x03\x04\x05\x06\0\0\0\0\0\0\0\0\0\0a blob, not a t.";

/// Two tensors in one segment, as 0.6 has them, and a blob in another one.
struct Parts {
    tensors: Vec<TensorMetadata<'static>>,
    segments: Vec<DataSegment>,
    named: Vec<NamedData06<'static>>,
}

impl Parts {
    fn new() -> Self {
        let named = NamedData06 { key: Placed::from("blob"), segment_index: Placed::from(1) };
        Self {
            tensors: vec![
                tensor("scale", ScalarType::Float, &[2], (0, 0)),
                tensor("codes", ScalarType::Byte, &[2, 3], (0, 16)),
            ],
            segments: vec![segment(0, 22), segment(32, 16)],
            named: vec![named],
        }
    }

    fn root(&self) -> Old<'_> {
        Old {
            version: 0,
            tensor_alignment: 16,
            tensors: Some(FbVec::from(&self.tensors[..])),
            segments: Some(FbVec::from(&self.segments[..])),
            named_data: Some(FbVec::from(&self.named[..])),
            more: 0,
        }
    }

    fn file(&self) -> Vec<u8> {
        // Some of them break rules.
        file(&self.root().to_buffer_unruled().unwrap(), DATA)
    }
}

/// The same in the schema of 0.7, where every tensor has a segment.
fn current() -> Vec<u8> {
    let mut file = Builder::new();
    file.tensor("scale", ScalarType::Float, &[2], &DATA[..8]).unwrap();
    file.tensor("codes", ScalarType::Byte, &[2, 3], &DATA[16..22]).unwrap();
    file.blob("blob", &DATA[32..], 1).unwrap();
    file.to_vec().unwrap()
}

/// Type, sizes and order of a tensor.
type Shape<'a> = (ScalarType, Vec<u64>, &'a [u8]);

/// What a key stands for, wherever it lies.
fn content<'a>(entry: &Entry<'a>) -> (&'a str, Option<Shape<'a>>, &'a [u8]) {
    let layout = entry.layout.as_ref().map(|layout| {
        let shape = layout.shape().map(Option::unwrap).collect();
        (layout.scalar_type, shape, layout.dim_order)
    });
    (entry.key, layout, entry.bytes.unwrap())
}

fn told(bytes: &[u8]) -> Vec<String> {
    let report = Ptd::validate(bytes);
    let findings = report.findings().iter();
    findings
        .map(|finding| format!("{} {} {}", finding.severity.name(), finding.path, finding.code))
        .collect()
}

const OLD: &str = "warning tables ptd.ptd.tables.schema";

#[test]
fn one_identifier_and_version_stand_for_two_schemas() {
    let (old, new) = (Parts::new().file(), current());
    for (bytes, findings) in [(&old, vec![OLD]), (&new, vec![])] {
        assert_eq!(told(bytes), findings);
        laws::hold::<Ptd<'_>>(bytes, ());
        laws::round_trip::<Ptd<'_>>(bytes.clone().leak(), ());
    }
    let (old, new) = (Ptd::parse(&old).unwrap(), Ptd::parse(&new).unwrap());
    assert_eq!((old.identifier, old.magic), (new.identifier, new.magic));
    let (Tables::FlatTensor06(old_root), Tables::FlatTensor(new_root)) =
        (old.tables.root().unwrap(), new.tables.root().unwrap())
    else {
        panic!("both schemas");
    };
    assert_eq!((old_root.version, new_root.version), (0, 0));
    let (old_keys, new_keys) = (old.keys().unwrap(), new.keys().unwrap());
    assert_eq!((old_keys.len(), new_keys.len()), (3, 3));
    for key in ["scale", "codes", "blob"] {
        let (old, new) = (old_keys.get(key).unwrap().unwrap(), new_keys.get(key).unwrap().unwrap());
        assert_eq!(content(&old), content(&new), "{key}");
    }
    // They come in one order, too.
    let keys = |file: &Ptd<'_>| -> Vec<String> {
        file.entries().unwrap().map(|entry| entry.unwrap().key.to_owned()).collect()
    };
    assert_eq!(keys(&old), keys(&new));
}

#[test]
fn a_file_without_blobs_need_not_store_their_list() {
    let parts = Parts::new();
    let segments = FbVec::from(&parts.segments[..1]);
    let root = Old { named_data: None, segments: Some(segments), ..parts.root() };
    let bytes = file(&root.to_buffer().unwrap(), &DATA[..22]);
    let ptd = Ptd::parse(&bytes).unwrap();
    assert_eq!(ptd.tables.slots(), Some(4));
    assert!(matches!(ptd.tables.root().unwrap(), Tables::FlatTensor06(_)));
    assert_eq!(ptd.entries().unwrap().count(), 2);
    assert_eq!(told(&bytes), [OLD]);
    // With the list there are five slots, and a file of no known schema has more.
    assert_eq!(Ptd::parse(&parts.file()).unwrap().tables.slots(), Some(5));
    let root = Old { more: 7, ..parts.root() };
    let bytes = file(&root.to_buffer().unwrap(), DATA);
    assert_eq!(told(&bytes), ["error tables slots"]);
}

#[test]
fn lists_that_a_schema_needs_are_missed() {
    let parts = Parts::new();
    let without = |root: Old<'_>| told(&file(&root.to_buffer().unwrap(), DATA));
    assert_eq!(without(Old { segments: None, ..parts.root() }), ["error tables.segments required"]);
    assert_eq!(without(Old { tensors: None, ..parts.root() }), ["error tables.tensors required"]);
    // Without all behind slot 1 it is a file of 0.7, whose second slot leads to the segments.
    let few = Old { tensors: None, segments: None, named_data: None, ..parts.root() };
    let few = without(few);
    assert!(few.iter().any(|line| line.starts_with("error tables.segments")), "{few:?}");
    let newer = Old { version: 1, ..parts.root() };
    let newer = without(newer);
    assert!(
        newer.contains(&"error tables.version ptd.flat-tensor06.version.known".to_owned()),
        "{newer:?}"
    );
}

type Change = fn(&mut Parts);

#[test]
fn damage_to_the_old_schema_is_told_with_its_place() {
    let cases: [(Change, &str); 11] = [
        (
            |parts| parts.tensors[1].segment_index = Placed::from(9),
            "error tables.tensors[1].segment_index ptd.tensor-metadata.segment-index.range",
        ),
        (
            |parts| parts.named[0].segment_index = Placed::from(9),
            "error tables.named_data[0].segment_index ptd.named-data06.segment-index.range",
        ),
        (
            |parts| parts.tensors[1].offset = Placed::from(17),
            "error tables.tensors[1].offset ptd.tensor-metadata.offset.end",
        ),
        (
            |parts| parts.tensors[1].offset = Placed::from(u64::MAX),
            "error tables.tensors[1].offset ptd.tensor-metadata.offset.end",
        ),
        (
            |parts| parts.tensors[0].offset = Placed::from(2),
            "error tables.tensors[0].offset ptd.tensor-metadata.offset.align",
        ),
        (
            |parts| parts.tensors[0].scalar_type = ScalarType::Other(99),
            "error tables.tensors[0].scalar_type ptd.tensor-metadata.scalar-type.known",
        ),
        (
            |parts| parts.tensors[1].dim_order = &[0, 0],
            "error tables.tensors[1].dim_order ptd.tensor-layout.dim-order.permutation",
        ),
        (
            |parts| parts.tensors[1].sizes = FbVec::from(&[2, -3][..]),
            "error tables.tensors[1].sizes[1] ptd.tensor-layout.sizes.negative",
        ),
        (
            |parts| parts.tensors[1].name = Placed::from("scale"),
            "error tables.tensors[1].name ptd.named-data.key.conflict",
        ),
        (
            |parts| parts.named[0].key = Placed::from("scale"),
            "error tables.named_data[0].key ptd.named-data.key.conflict",
        ),
        (
            |parts| parts.segments[1] = segment(8, 16),
            "error tables.segments[1].offset ptd.data-segment.offset.overlap",
        ),
    ];
    for (change, expected) in cases {
        let mut parts = Parts::new();
        change(&mut parts);
        let bytes = parts.file();
        let told = told(&bytes);
        assert!(told.iter().any(|line| line == expected), "{expected}: {told:#?}");
        assert!(told.iter().any(|line| line == OLD), "{told:#?}");
        laws::hold::<Ptd<'_>>(&bytes, ());
    }
}

#[test]
fn the_old_schema_is_edited_into_the_current_one() {
    let old = Parts::new().file();
    let mut edit = Edit::new(&Ptd::parse(&old).unwrap()).unwrap();
    edit.set_align(128).unwrap();
    assert_eq!(edit.to_vec().unwrap(), current());
    edit.replace("codes", &[9; 6]).unwrap();
    edit.drop_named("blob").unwrap();
    let bytes = edit.to_vec().unwrap();
    assert_eq!(told(&bytes), [""; 0]);
    let ptd = Ptd::parse(&bytes).unwrap();
    assert!(matches!(ptd.tables.root().unwrap(), Tables::FlatTensor(_)));
    let entries: Vec<_> = ptd.entries().unwrap().map(Result::unwrap).collect();
    let contents: Vec<_> = entries.iter().map(content).collect();
    let (float, byte) = (ScalarType::Float, ScalarType::Byte);
    assert_eq!(
        contents,
        [
            ("scale", Some((float, vec![2], &[0][..])), &DATA[..8]),
            ("codes", Some((byte, vec![2, 3], &[0, 1])), &[9; 6]),
        ]
    );
}
