//! What made-up declarations are compiled with: random values and files, and a run of all laws.
//!
//! The program of this crate (`main.rs`) writes the declarations; see README.md.

pub mod large;
pub mod rng;
pub mod run;
pub mod updates;
pub mod values;

/// What a made-up declaration names.
pub mod prelude {
    pub use std::borrow::Cow;

    pub use binfmt_runtime::encodings::{Bcd, DerLen, Octal, SpaceFilled, Vlq, ZeroFilled, Zigzag};
    pub use binfmt_runtime::{
        Adler32, Auto, BinFormat, Blob, Coded, Crc32, Deflate, Encoded, FbRef, FbVec, FlatBuffer,
        I24, I40, I48, I56, Lazy, Leb128, LinkedSeq, Order, Reserved, Seq, U24, U40, U48, U56,
        Utf16, Wire, Xor,
    };

    pub use crate::run::Run;
    pub use crate::updates::{borrowed, updates};
    pub use crate::values::{
        Ending, EndingHead, EndingLeb, Header16, Header32, Keyed, LATER, Make, Num, Summed, Whole,
        Wrapped, add, align_up, and, buffer, closed, closed_all, div, from_the_highest, half,
        locked, locked_bytes, made_bytes, made_list, made_numbers, made_text, mul, n, named,
        narrow, opened, opened_all, or, rem, sealed, seen, shl, shr, sight, sub, take, terminated,
        turned, turned_back, twice, unlocked, unwrapped, viewed,
    };
}
