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
    #[bin(at = at, shared)]
    inside: Box<Apart<'a>>,
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
