//! Blocks of so many bytes at most: the last one of a region may be short, and no other.

use binfmt_runtime::{BinFormat, laws};

use super::{refused, same};

macro_rules! blocks {
    ($($module:ident: $len:expr;)*) => {$(
        mod $module {
            use super::*;

            #[derive(BinFormat, Debug, Clone, PartialEq)]
            struct Log {
                most: u8,
                #[bin(until_end)]
                blocks: Vec<Block>,
            }

            #[derive(BinFormat, Debug, Clone, PartialEq)]
            struct Block {
                #[bin(len = $len)]
                data: Vec<u8>,
            }

            fn log(blocks: &[&[u8]]) -> Log {
                let blocks = blocks.iter().map(|data| Block { data: data.to_vec() }).collect();
                Log { most: 4, blocks }
            }

            #[test]
            fn the_last_block_may_be_short() {
                same(&log(&[b"abcd", b"efgh"]), b"\x04abcdefgh");
                same(&log(&[b"abcd", b"e"]), b"\x04abcde");
                same(&log(&[b"ab"]), b"\x04ab");
                same(&log(&[]), b"\x04");
            }

            #[test]
            fn no_other_block_is_short_and_none_is_longer() {
                assert_eq!(refused(&log(&[b"abc", b"e"])), "blocks[0].data until");
                assert_eq!(refused(&log(&[b"abcde"])), "blocks[0].data derived");
                assert_eq!(refused(&log(&[b"abcd", b""])), "blocks[1] until");
            }

            #[test]
            fn the_laws_hold() {
                for file in [&b"\x04abcdefghi"[..], b"\x04", b"\0abcd"] {
                    laws::hold::<Log>(file, ()).unwrap();
                }
            }
        }
    )*};
}

blocks! {
    smaller: min(remaining, 4);
    the_other_way_round: min(4, remaining);
    less: if remaining < 4 { remaining } else { 4 };
    at_most: if remaining <= 4 { remaining } else { 4 };
    more: if remaining > 4 { 4 } else { remaining };
    at_least: if remaining >= 4 { 4 } else { remaining };
}

/// A block with a mark behind it.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Marked {
    #[bin(until_end)]
    blocks: Vec<MarkedBlock>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct MarkedBlock {
    #[bin(len = min(remaining - 1, 3))]
    data: Vec<u8>,
    mark: u8,
}

#[test]
fn what_follows_a_block_is_taken_off() {
    let block = |data: &[u8], mark| MarkedBlock { data: data.to_vec(), mark };
    same(&Marked { blocks: vec![block(b"abc", 1), block(b"de", 2)] }, b"abc\x01de\x02");
    same(&Marked { blocks: vec![block(b"abc", 1), block(b"", 2)] }, b"abc\x01\x02");
    let early = Marked { blocks: vec![block(b"ab", 1), block(b"", 2)] };
    assert_eq!(refused(&early), "blocks[0].data until");
    laws::hold::<Marked>(b"abc\x01def", ()).unwrap();
}
