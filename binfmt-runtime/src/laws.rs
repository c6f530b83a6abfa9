//! What holds for every declaration on every input, as tests for your own: [`laws!`](crate::laws!).

mod cost;
mod derived;
mod differ;
pub(crate) mod errors;
mod hold;
mod input;
mod mutate;
mod updated;
mod witness;
mod written;

use alloc::string::String;
use alloc::vec::Vec;

pub use cost::{Cost, cost};
pub use hold::{hold, may_be_refused};
pub use mutate::mutations;
pub use witness::{Witness, Witnesses};
pub use written::{outputs, same_output, settled, written_as_read, written_is_read};

use crate::layout::Layout;
use crate::report::Report;
use crate::tree::Tree;

/// A declared type, as the laws see it: what `laws!` makes of its arguments.
pub struct Subject<'s> {
    /// The declaration.
    pub layout: &'static Layout,
    /// Checks an input of any kind, and says what a validator said about it.
    pub hold: &'s dyn Fn(&[u8]) -> Result<Report, String>,
    /// Checks that what is read is written, and read again as the same value.
    pub again: &'s dyn Fn(&[u8]) -> Result<(), String>,
    /// What an inspector sees.
    pub tree: &'s dyn Fn(&[u8]) -> Tree,
}

impl core::fmt::Debug for Subject<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Subject").field("layout", &self.layout.name).finish_non_exhaustive()
    }
}

impl Subject<'_> {
    /// Checks every law on some valid files, on damaged copies of them and on files of nothing, and
    /// searches a witness for every rule. `Err` says which law is broken, and how.
    pub fn check(&self, files: &[&[u8]], supplied: &[(&str, &[u8])]) -> Result<Witnesses, String> {
        for len in 0..64_usize {
            for byte in [0, 1, 0x80, 0xff_u8] {
                let mut junk: Vec<u8> = self.layout.magic.to_vec();
                junk.resize(junk.len().saturating_add(len), byte);
                (self.hold)(&junk).map_err(|broken| described(&broken, "of nothing", &junk))?;
            }
        }
        let mut witnesses = Witnesses::of(self.layout);
        for (file, number) in files.iter().zip(0_usize..) {
            let report =
                (self.hold)(file).map_err(|broken| described(&broken, "as it is", file))?;
            if !report.is_ok() {
                return Err(alloc::format!("file {number} is not valid:\n{report}"));
            }
            (self.again)(file).map_err(|broken| described(&broken, "as it is", file))?;
            for copy in mutations(file, &(self.tree)(file)) {
                let (at, bytes) = &copy;
                let found =
                    (self.hold)(bytes).map_err(|broken| described(&broken, "damaged", bytes))?;
                witnesses.look(number, &report, &found, at.clone(), bytes);
            }
        }
        for (code, bytes) in supplied {
            let found =
                (self.hold)(bytes).map_err(|broken| described(&broken, "supplied", bytes))?;
            witnesses.take(code, &found, bytes)?;
        }
        Ok(witnesses)
    }
}

/// A broken law, with the input that breaks it.
fn described(broken: &str, which: &str, bytes: &[u8]) -> String {
    let head: Vec<String> =
        bytes.iter().take(256).map(|byte| alloc::format!("{byte:02x}")).collect();
    let more = if bytes.len() > 256 { " .." } else { "" };
    alloc::format!("{broken}\nin a file {which}, {} bytes: {}{more}", bytes.len(), head.join(" "))
}

/// Checks the laws of a declaration, with a few valid files and values: a test suite in one line.
///
/// On every file, every cut-off copy and many damaged ones: nothing panics; a reader accepts what
/// `is_valid` accepts and a validator has nothing against that stops readers; inspector and validator
/// tell one story; every byte of a valid file is a field, a padding or named by a finding; what has no
/// error is written as it was read, and read again as the same value.
///
/// On every value of `values = [..]`, whatever it holds: either every kind of output refuses it with
/// one code, or all give the same bytes, and these are read as the same value, apart from the fields
/// that the writer computes, have no error, and are written as the same bytes again. What is written
/// of the values is tried as files are.
///
/// Each field of each file is changed in many ways, and each such file goes through everything. What this may
/// cost has a budget, which is enough for most changes of files of some hundred bytes; of longer ones, and of
/// those with many fields, the simplest changes are tried, and some of the others all over the file. Without
/// optimization a file takes seconds. Say `opt-level = 1` in `[profile.test]` where that is too long.
///
/// The value of the macro says which rules have a *witness*: a small change of a valid file that
/// breaks this rule alone. Supply what was not found: `witnesses = [("Type.field", &bytes)]`.
/// Arguments that have no defaults are given with `args = (..)`, behind the files.
/// Panics if a law is broken. The declared type needs `Debug` and `PartialEq`. Memory is not
/// measured, for that takes an allocator of its own.
///
/// ```
/// use binfmt_runtime::{Auto, BinFormat, laws};
///
/// #[derive(BinFormat, Debug, PartialEq)]
/// #[bin(big, magic = b"PT")]
/// struct Point {
///     #[bin(range = 1..=9)]
///     version: u8,
///     #[bin(warn(x != 7, "an unlucky number"))]
///     x: u16,
///     len: Auto<u8>,
///     #[bin(len = len)]
///     name: String,
/// }
///
/// let point = |x, name: &str| Point { version: 1, x, len: Auto::new(), name: name.into() };
/// let witnesses = laws!(
///     Point,
///     [b"PT\x01\0\0\x02Aa"],
///     values = [point(1, ""), point(2, "east")],
///     witnesses = [("Point.x", b"PT\x01\0\x07\0")]
/// );
/// assert_eq!(witnesses.missing(), [] as [&str; 0]);
/// assert_eq!(witnesses.to_string(), "Point: 2 of 2 rules have a witness");
/// ```
#[macro_export]
macro_rules! laws {
    (@args $ty:ty;) => { <$ty as $crate::DefaultArgs<'_>>::default_args() };
    (@args $ty:ty; $args:expr) => { $args };
    (
        $ty:ty $(, [$($file:expr),* $(,)?])? $(, args = $args:expr)?
        $(, values = [$($value:expr),* $(,)?])?
        $(, witnesses = [$(($code:expr, $bytes:expr)),* $(,)?])? $(,)?
    ) => {{
        let args = $crate::laws!(@args $ty; $($args)?);
        let hold = |bytes: &[u8]| $crate::laws::hold::<$ty>(bytes, args);
        let again = |bytes: &[u8]| {
            use $crate::BinFormat as _;
            let Ok(value) = <$ty>::parse_with(bytes, args) else {
                return ::core::result::Result::Err(::std::string::String::from("the file is refused"));
            };
            match $crate::laws::written_is_read(&value, args)? {
                Ok(_) => ::core::result::Result::Ok(()),
                Err(error) => ::core::result::Result::Err(::std::format!("cannot be written: {error}")),
            }
        };
        let tree = |bytes: &[u8]| <$ty as $crate::BinFormat<'_>>::inspect_with(bytes, args);
        let subject = $crate::laws::Subject {
            layout: <$ty as $crate::Wire<'_>>::WIRE,
            hold: &hold,
            again: &again,
            tree: &tree,
        };
        let files: &[&[u8]] = &[$($($file),*)?];
        #[allow(unused_mut, reason = "there may be no values")]
        let mut files = files.to_vec();
        $($({
            let value: $ty = $value;
            match $crate::laws::written_is_read(&value, args) {
                ::core::result::Result::Ok(written) => files.extend(written.ok()),
                ::core::result::Result::Err(broken) => ::std::panic!("{broken}"),
            }
        })*)?
        let supplied: &[(&str, &[u8])] = &[$($(($code, $bytes)),*)?];
        match subject.check(&files, supplied) {
            ::core::result::Result::Ok(witnesses) => witnesses,
            ::core::result::Result::Err(broken) => ::std::panic!("{broken}"),
        }
    }};
}
