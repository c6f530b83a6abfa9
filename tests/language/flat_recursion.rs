//! Tables that hold tables like themselves, through vectors, references and unions, are walked as deep as
//! tables may lie without overflowing a thread of two megabytes, whatever slots they have.

use std::fmt::Debug;

use binfmt_runtime::{BinFormat, FbRef, FbVec, FlatBuffer, FlatBuild, FlatTable};
use flatbuffers::{FlatBufferBuilder, WIPOffset};

use super::flat::{Engine, Hold, Kind, Position, slot};

/// A table of three slots that lead to others of its type, and of more for which there are these words.
macro_rules! table {
    ($name:ident $union:ident { $($slot:literal $field:ident: $ty:ty $(, [$($words:tt)*])?;)* }) => {
        #[derive(BinFormat, Debug, Clone, PartialEq)]
        #[bin(flatbuffer)]
        struct $name<'a> {
            #[bin(slot = 0)]
            nodes: FbVec<'a, Self>,
            #[bin(slot = 1)]
            next: Option<FbRef<'a, Self>>,
            #[bin(slot = 3, union)]
            inside: Option<$union<'a>>,
            $(#[bin(slot = $slot $(, $($words)*)?)] $field: $ty,)*
        }

        #[derive(BinFormat, Debug, Clone, PartialEq)]
        #[bin(flatbuffer)]
        enum $union<'a> {
            #[bin(id = 1)]
            Lazy(FbRef<'a, $name<'a>>),
            #[bin(id = 2)]
            Hold(Hold<'a>),
            #[bin(other)]
            Other(u8),
        }
    };
}

/// The same with thirty slots of one type.
macro_rules! thirty {
    ($name:ident $union:ident: $ty:ty) => {
        table!($name $union {
            4 a: $ty; 5 b: $ty; 6 c: $ty; 7 d: $ty; 8 e: $ty; 9 f: $ty; 10 g: $ty; 11 h: $ty; 12 i: $ty; 13 j: $ty;
            14 k: $ty; 15 l: $ty; 16 m: $ty; 17 n: $ty; 18 o: $ty; 19 p: $ty; 20 q: $ty; 21 r: $ty; 22 s: $ty;
            23 t: $ty; 24 u: $ty; 25 v: $ty; 26 w: $ty; 27 x: $ty; 28 y: $ty; 29 z: $ty; 30 aa: $ty; 31 bb: $ty;
            32 cc: $ty; 33 dd: $ty;
        });
    };
}

thirty!(Numbers NumbersUnion: u32);
thirty!(Texts TextsUnion: Option<&'a str>);
thirty!(Lists ListsUnion: FbVec<'a, Hold<'a>>);
thirty!(Eager EagerUnion: Option<Hold<'a>>);
thirty!(Lazy LazyUnion: Option<FbRef<'a, Hold<'a>>>);
thirty!(Enums EnumsUnion: Option<Kind>);
thirty!(Structs StructsUnion: Option<Position>);

table!(Unions UnionsUnion {
    5 a: Option<Engine<'a>>, [union]; 7 b: Option<Engine<'a>>, [union]; 9 c: Option<Engine<'a>>, [union];
    11 d: Option<Engine<'a>>, [union]; 13 e: Option<Engine<'a>>, [union]; 15 f: Option<Engine<'a>>, [union];
    17 g: Option<Engine<'a>>, [union]; 19 h: Option<Engine<'a>>, [union]; 21 i: Option<Engine<'a>>, [union];
});

table!(Ruled RuledUnion {
    4 a: u32, [check(a != 3, "no"), warn(a < 9, "no"), range = 0..=9, error(a != 7, "never")];
    5 b: u32, [check(b != 3, "no"), warn(b < 9, "no"), range = 0..=9, error(b != 7, "never")];
    6 c: u32, [check(c != 3, "no"), warn(c < 9, "no"), range = 0..=9, error(c != 7, "never")];
    7 d: u32, [check(d != 3, "no"), warn(d < 9, "no"), range = 0..=9, error(d != 7, "never")];
    8 e: u32, [check(e != 3, "no"), warn(e < 9, "no"), range = 0..=9, error(e != 7, "never")];
    9 f: u32, [check(f != 3, "no"), warn(f < 9, "no"), range = 0..=9, error(f != 7, "never")];
    10 g: u32, [check(g != 3, "no"), warn(g < 9, "no"), range = 0..=9, error(g != 7, "never")];
    11 h: u32, [check(h != 3, "no"), warn(h < 9, "no"), range = 0..=9, error(h != 7, "never")];
});

#[derive(Clone, Copy, Debug)]
enum By {
    Vector,
    Reference,
    Union,
}

/// `depth` tables, each in the next one.
fn nested(depth: usize, by: By) -> &'static [u8] {
    let mut builder = FlatBufferBuilder::new();
    let mut inner: Option<WIPOffset<_>> = None;
    for _ in 0..depth {
        let nodes = match (by, inner) {
            (By::Vector, Some(inner)) => Some(builder.create_vector(&[inner])),
            _ => None,
        };
        let table = builder.start_table();
        match (by, inner) {
            (By::Reference, Some(inner)) => builder.push_slot_always(slot(1), inner),
            (By::Union, Some(inner)) => {
                builder.push_slot_always(slot(2), 1_u8);
                builder.push_slot_always(slot(3), inner);
            }
            _ => {}
        }
        if let Some(nodes) = nodes {
            builder.push_slot_always(slot(0), nodes);
        }
        inner = Some(builder.end_table(table));
    }
    builder.finish_minimal(inner.unwrap());
    builder.finished_data().to_vec().leak()
}

/// All that goes through the tables of a buffer, and whether they lie too deep.
fn walk<T>(bytes: &'static [u8]) -> bool
where
    T: FlatTable<'static> + FlatBuild<'static> + Clone + Debug + PartialEq,
{
    let report = FlatBuffer::<'_, T>::validate(bytes);
    let is_deep = report.findings().iter().any(|finding| finding.code == "depth");
    assert_eq!(FlatBuffer::<'_, T>::is_valid(bytes), !is_deep);
    assert_eq!(FlatBuffer::<'_, T>::inspect(bytes).report.is_ok(), !is_deep);
    let root = FlatBuffer::<'_, T>::parse(bytes).unwrap().root().unwrap();
    let written = root.to_buffer();
    assert_eq!(written.is_err(), is_deep);
    assert!(!format!("{root:?}").is_empty());
    assert_eq!(root, root.clone());
    is_deep
}

fn is_walked_to_a_depth<T>()
where
    T: FlatTable<'static> + FlatBuild<'static> + Clone + Debug + PartialEq,
{
    for by in [By::Vector, By::Reference, By::Union] {
        for (depth, expected) in
            [(8, Some(false)), (24, None), (64, None), (65, Some(true)), (2000, Some(true))]
        {
            let bytes = nested(depth, by);
            let thread = std::thread::Builder::new().stack_size(2 << 20);
            let is_deep = thread.spawn(move || walk::<T>(bytes)).unwrap().join().unwrap();
            assert!(expected.is_none_or(|expected| expected == is_deep), "{by:?} {depth}");
        }
    }
}

macro_rules! walked {
    ($($name:ident $ty:ident)*) => {
        $(#[test]
        fn $name() {
            is_walked_to_a_depth::<$ty<'static>>();
        })*
    };
}

walked! {
    tables_of_numbers_nest Numbers
    tables_of_texts_nest Texts
    tables_of_lists_nest Lists
    tables_of_tables_nest Eager
    tables_of_references_nest Lazy
    tables_of_enums_nest Enums
    tables_of_structs_nest Structs
    tables_of_unions_nest Unions
    tables_of_rules_nest Ruled
}

/// A table that holds others, and one with so many slots that fewer of them lie inside each other.
macro_rules! chain {
    ($name:ident { $($slot:literal $field:ident)* }) => {
        #[derive(BinFormat, Debug, Clone, PartialEq)]
        #[bin(flatbuffer)]
        struct $name<'a> {
            #[bin(slot = 0)]
            inner: FbVec<'a, Self>,
            $(#[bin(slot = $slot, check($field < 9, "it is too large"))] $field: u64,)*
        }

        impl $name<'static> {
            /// So many of them inside each other.
            fn nested(depth: usize) -> Self {
                let innermost = Self { inner: FbVec::from(&[][..]), $($field: 1,)* };
                (1..depth).fold(innermost, |inner, _| {
                    Self { inner: FbVec::from(&*vec![inner].leak()), $($field: 1,)* }
                })
            }
        }
    };
}

chain!(Narrow {});
chain!(Wide {
    1 a 2 b 3 c 4 d 5 e 6 f 7 g 8 h 9 i 10 j 11 k 12 l 13 m 14 n 15 o 16 p 17 q 18 r 19 s 20 t 21 u 22 v 23 w 24 x
    25 y 26 z 27 aa 28 bb 29 cc 30 dd 31 ee 32 ff 33 gg 34 hh 35 ii 36 jj 37 kk 38 ll 39 mm 40 nn
});

#[test]
fn a_buffer_is_built_as_deep_as_it_is_read() {
    fn deepest<T>(nested: fn(usize) -> T) -> usize
    where
        T: FlatBuild<'static> + FlatTable<'static> + Debug,
    {
        let mut deepest = 0;
        for depth in (1..80).chain([200, 20_000]) {
            match nested(depth).to_buffer() {
                Ok(bytes) => {
                    assert!(FlatBuffer::<T>::is_valid(bytes.leak()), "{depth} deep");
                    deepest = depth;
                }
                Err(error) => assert_eq!(error.finding().code, "depth"),
            }
        }
        deepest
    }
    // Values of such depth are freed and made by their own type, which is no matter of this test.
    let walk = || (deepest(Narrow::nested), deepest(Wide::nested));
    let (narrow, wide) =
        std::thread::Builder::new().stack_size(2 << 20).spawn(walk).unwrap().join().unwrap();
    assert_eq!(narrow, 64);
    assert!((8..40).contains(&wide), "{wide}");
}
