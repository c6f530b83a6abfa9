//! Types with very many variants, computed values and rules nest as deep as the stack of a thread takes, which has
//! room for each of them where nothing is optimized.

use binfmt_runtime::BinFormat;

/// Reads and writes values inside values, to all depths, each in a thread of two megabytes.
pub(super) fn survives<T>(nested: fn(usize) -> Vec<u8>, least: usize)
where
    T: BinFormat<'static, Args = ()> + Send + 'static,
{
    let mut deepest = 0;
    for depth in [1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 32, 40, 48, 56, 62, 63] {
        let bytes: &'static [u8] = nested(depth).leak();
        let of_size = |stack: usize| std::thread::Builder::new().stack_size(stack);
        let read = || {
            T::is_valid_with(bytes, ());
            T::validate_with(bytes, ());
            std::mem::forget(T::inspect_with(bytes, ()));
            T::parse_with(bytes, ()).ok().map(Box::new)
        };
        let value = of_size(2 << 20).spawn(read).unwrap().join().unwrap();
        let Some(value) = value else { break };
        deepest = depth;
        let write = move || {
            assert_eq!(value.to_vec_with(()).unwrap(), bytes);
            std::mem::forget(value);
        };
        of_size(2 << 20).spawn(write).unwrap().join().unwrap();
    }
    assert!(deepest >= least, "{} nests {deepest} deep", std::any::type_name::<T>());
}

/// Calls a macro with sixty numbers, each with a name in capitals and one in small letters.
macro_rules! sixty {
    ($make:ident) => {
        $make! {
            0u8 V0 v0 1u8 V1 v1 2u8 V2 v2 3u8 V3 v3 4u8 V4 v4 5u8 V5 v5 6u8 V6 v6 7u8 V7 v7 8u8 V8 v8
            9u8 V9 v9 10u8 V10 v10 11u8 V11 v11 12u8 V12 v12 13u8 V13 v13 14u8 V14 v14 15u8 V15 v15
            16u8 V16 v16 17u8 V17 v17 18u8 V18 v18 19u8 V19 v19 20u8 V20 v20 21u8 V21 v21 22u8 V22 v22
            23u8 V23 v23 24u8 V24 v24 25u8 V25 v25 26u8 V26 v26 27u8 V27 v27 28u8 V28 v28 29u8 V29 v29
            30u8 V30 v30 31u8 V31 v31 32u8 V32 v32 33u8 V33 v33 34u8 V34 v34 35u8 V35 v35 36u8 V36 v36
            37u8 V37 v37 38u8 V38 v38 39u8 V39 v39 40u8 V40 v40 41u8 V41 v41 42u8 V42 v42 43u8 V43 v43
            44u8 V44 v44 45u8 V45 v45 46u8 V46 v46 47u8 V47 v47 48u8 V48 v48 49u8 V49 v49 50u8 V50 v50
            51u8 V51 v51 52u8 V52 v52 53u8 V53 v53 54u8 V54 v54 55u8 V55 v55 56u8 V56 v56 57u8 V57 v57
            58u8 V58 v58 59u8 V59 v59
        }
    };
}

macro_rules! types {
    ($($number:literal $variant:ident $field:ident)*) => {
        #[derive(BinFormat, Debug)]
        enum Magics {
            $(#[bin(magic = $number)] $variant([u8; 64], u8),)*
            #[bin(magic = 200u8)]
            More(Box<Self>),
            #[bin(magic = 201u8)]
            End,
        }

        #[derive(BinFormat, Debug)]
        enum Fields {
            $(
                #[bin(magic = $number)]
                $variant {
                    kind: u8,
                    #[bin(prefix = u8)]
                    text: String,
                    #[bin(if = kind > 3)]
                    more: Option<[u8; 300]>,
                },
            )*
            #[bin(magic = 200u8)]
            More(Box<Self>),
            #[bin(magic = 201u8)]
            End,
        }

        #[derive(BinFormat, Debug)]
        #[bin(tag = kind, args(kind: u8))]
        enum Tags {
            $(#[bin(id = $number)] $variant([u8; 99]),)*
            #[bin(id = 200)]
            More(Box<Tagged>),
            #[bin(id = 201)]
            End,
        }

        #[derive(BinFormat, Debug)]
        #[bin(probe)]
        enum Tried {
            Block(Block),
            $($variant(Part<$number>),)*
        }

        #[derive(BinFormat, Debug)]
        #[bin($(computed($field: u64 = kind + size)),*)]
        struct Computed {
            kind: u8,
            size: u8,
            #[bin(if = kind > 0)]
            inner: Option<Box<Self>>,
        }

        #[derive(BinFormat, Debug)]
        #[bin($(check(kind < 9 || size == $number, "{size} is too large")),*)]
        struct Ruled {
            kind: u8,
            size: u8,
            #[bin(if = kind > 0)]
            inner: Option<Box<Self>>,
        }
    };
}

sixty!(types);

#[derive(BinFormat, Debug)]
struct Tagged {
    #[bin(calc = tag(body))]
    kind: u8,
    #[bin(args(kind))]
    body: Tags,
}

#[derive(BinFormat, Debug)]
#[bin(magic = b"\xc8")]
struct Block(Box<Tried>);

#[derive(BinFormat, Debug)]
struct Part<const N: u8> {
    #[bin(check(number == N, "another one"))]
    number: u8,
    body: [u8; 200],
}

/// So many values inside each other, and the last one.
fn led_by(more: &[u8], depth: usize, last: &[u8]) -> Vec<u8> {
    [more.repeat(depth), last.to_vec()].concat()
}

#[test]
fn variants_told_by_magics() {
    survives::<Magics>(|depth| led_by(&[200], depth, &[201]), 8);
}

#[test]
fn variants_with_fields() {
    survives::<Fields>(|depth| led_by(&[200], depth, &[201]), 8);
}

#[test]
fn variants_told_by_tags() {
    survives::<Tagged>(|depth| led_by(&[200], depth, &[201]), 8);
}

#[test]
fn variants_that_are_tried() {
    survives::<Tried>(|depth| led_by(&[200], depth, &[[7; 1].as_slice(), &[9; 200]].concat()), 8);
}

#[test]
fn computed_values() {
    survives::<Computed>(|depth| led_by(&[1, 0], depth, &[0, 0]), 8);
}

#[test]
fn rules() {
    survives::<Ruled>(|depth| led_by(&[1, 0], depth, &[0, 0]), 8);
}
