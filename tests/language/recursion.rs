//! Values that nest, in every way in which a type may contain itself, are read to a depth at which no
//! thread of two megabytes overflows, whatever fields they have; what is deeper is an error `depth`.

#![expect(dead_code, reason = "the types are read, and nobody asks for their fields")]

use std::fmt::Debug;

use binfmt_runtime::{Auto, BinFormat, DefaultArgs, Lazy, Seq};

#[derive(BinFormat, Debug, Clone)]
#[bin(little)]
struct Entry {
    at: u8,
    kind: u8,
}

#[derive(BinFormat, Debug, Clone)]
#[bin(little)]
struct Part {
    kind: u8,
    #[bin(prefix = u8)]
    body: Vec<u8>,
}

/// Ten fields of a kind, and then others.
macro_rules! ten {
    (@ $kind:ident $name:ident, $more:tt) => {
        ten!(@ $kind $name, $more a b, c d, e f, g h, i j, k l, m n, o p, q r, s t);
    };
    (@ texts $name:ident, { $($more:tt)* } $($one:ident $two:ident),*) => {
        #[derive(BinFormat, Debug, Clone)]
        #[bin(little)]
        struct $name<'a> { $(#[bin(prefix = u8)] $one: String,)* $($more)* #[bin(len = 0)] end: &'a [u8] }
    };
    (@ located $name:ident, { $($more:tt)* } $($one:ident $two:ident),*) => {
        #[derive(BinFormat, Debug, Clone)]
        #[bin(little)]
        struct $name<'a> {
            $($one: Auto<u8>, #[bin(at = $one, shared)] $two: Entry,)* $($more)* #[bin(len = 0)] end: &'a [u8],
        }
    };
    (@ parts $name:ident, { $($more:tt)* } $($one:ident $two:ident),*) => {
        #[derive(BinFormat, Debug, Clone)]
        #[bin(little)]
        struct $name<'a> {
            $($one: u8, #[bin(if = $one == 1)] $two: Option<Part>,)* $($more)* #[bin(len = 0)] end: &'a [u8],
        }
    };
    (@ tables $name:ident, { $($more:tt)* } $($one:ident $two:ident),*) => {
        #[derive(BinFormat, Debug, Clone)]
        #[bin(little)]
        struct $name<'a> {
            $(#[bin(prefix = u8)] $one: Vec<Entry>, #[bin(for_each = $one, len = it.kind)] $two: Vec<Vec<u8>>,)*
            $($more)*
            #[bin(len = 0)]
            end: &'a [u8],
        }
    };
    (@ ruled $name:ident, { $($more:tt)* } $($one:ident $two:ident),*) => {
        #[derive(BinFormat, Debug, Clone)]
        #[bin(little)]
        struct $name<'a> {
            $(#[bin(check($one != 3, "no"), error($one < 9, "no"))] $one: u8, $two: u8,)*
            $($more)*
            #[bin(len = 0)]
            end: &'a [u8],
        }
    };
}

/// A type of each kind of fields, in which `$more` holds another value of the type.
macro_rules! recursive {
    ($place:ident, $name:ident, $more:tt) => {
        recursive!(@ $place, $name, $more, texts located parts tables ruled);
    };
    (@ $place:ident, $name:ident, $more:tt, $($kind:ident)*) => {
        mod $place {
            $(mod $kind {
                use super::super::*;
                ten!(@ $kind $name, $more);

                #[test]
                fn is_read_to_a_depth() {
                    fits::<$name<'static>>();
                }
            })*
        }
    };
}

/// Every byte is 1: each text has a byte, each condition holds, each list has an item, which lies at 1.
static BYTES: [u8; 1 << 16] = [1; 1 << 16];

/// The walks of all observers fit into the stack that threads have.
fn fits<T>()
where
    T: BinFormat<'static> + DefaultArgs<'static> + Debug,
{
    let walk = || {
        assert!(!T::is_valid(&BYTES));
        assert!(!T::inspect(&BYTES).report.is_ok());
        drop(T::parse(&BYTES));
        T::validate(&BYTES).findings().iter().any(|finding| finding.code == "depth")
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(walk);
    assert!(thread.unwrap().join().unwrap(), "{}", std::any::type_name::<T>());
}

recursive!(in_boxes, Boxed, {
    more: u8,
    #[bin(if = more == 1)]
    inside: Option<Box<Boxed<'a>>>,
});

recursive!(in_lists, Listed, {
    #[bin(prefix = u8)]
    inside: Vec<Listed<'a>>,
});

recursive!(in_sequences, Sequenced, {
    #[bin(count = 1)]
    inside: Seq<'a, Sequenced<'a>>,
});

recursive!(in_boxes_at_offsets, Apart, {
    at: Auto<u8>,
    #[bin(at = at, null = 255, shared)]
    inside: Option<Box<Apart<'a>>>,
});

recursive!(at_the_offsets_of_a_table, Folder, {
    #[bin(prefix = u8)]
    entries: Vec<Entry>,
    #[bin(for_each = entries, at = it.at, shared)]
    inside: Vec<Folder<'a>>,
});

recursive!(beside_the_items_of_a_table, Beside, {
    #[bin(prefix = u8)]
    entries: Vec<Entry>,
    #[bin(for_each = entries, if = it.kind == 1)]
    inside: Vec<Option<Beside<'a>>>,
});

/// One lazy value inside another is read by a validator alone.
#[derive(BinFormat, Debug, Clone)]
#[bin(little)]
struct Late<'a> {
    #[bin(prefix = u8)]
    text: String,
    #[bin(until_end)]
    inside: Lazy<'a, Box<Self>>,
}

#[test]
fn in_lazy_values() {
    fits::<Late<'_>>();
}

/// An enum of many variants, each of which has fields: nothing is optimized, and a walk has locals for all.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Node {
    #[bin(calc = tag(body))]
    kind: Auto<u8>,
    #[bin(args(kind))]
    body: Body,
}

macro_rules! body {
    ($($variant:ident $id:literal),*) => {
        #[derive(BinFormat, Debug, PartialEq, Clone)]
        #[bin(tag = kind, args(kind: u8))]
        enum Body {
            #[bin(id = 0)]
            All(#[bin(prefix = u8)] Vec<Node>),
            $(#[bin(id = $id)] $variant(Texts),)*
        }
    };
}

body!(A 1, B 2, C 3, D 4, E 5, F 6, G 7, H 8, I 9, J 10, K 11, L 12, M 13, N 14, O 15, P 16, Q 17, R 18, S 19, T 20);

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Texts {
    #[bin(optional, magic = b"a", prefix = u8)]
    a: Option<String>,
    #[bin(optional, magic = b"b", prefix = u8)]
    b: Option<String>,
    #[bin(optional, magic = b"c", prefix = u8)]
    c: Option<String>,
    #[bin(optional, magic = b"d", prefix = u8)]
    d: Option<String>,
}

#[test]
fn an_enum_of_many_variants_fits_into_the_stack() {
    let bytes: &'static [u8] = b"\0\x01".repeat(200).leak();
    let walk = || {
        assert!(!Node::is_valid(bytes));
        assert!(!Node::inspect(bytes).report.is_ok());
        assert!(!Node::validate(bytes).is_ok());
        Node::parse(bytes).unwrap_err().finding().code
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(walk);
    assert_eq!(thread.unwrap().join().unwrap(), "depth");
}
