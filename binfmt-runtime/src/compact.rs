//! Writing without floors: everything moves as close together as it may.

use crate::BinFormat;
use crate::finding::Error;
use crate::writer::{self, Slice, Writer};

/// A value that is written as if it were new: stored offsets, rooms and lengths of sections are
/// forgotten, and bytes that belong to no field are left out.
///
/// ```
/// use binfmt_runtime::{Auto, BinFormat};
///
/// #[derive(BinFormat)]
/// struct Name<'a> {
///     at: u8,
///     len: Auto<u8>,
///     #[bin(at = at, len = len)]
///     text: &'a str,
/// }
///
/// let name = Name::parse(b"\x05\x02...ab")?;
/// assert_eq!(name.to_vec()?, b"\x05\x02\0\0\0ab");
/// assert_eq!(name.compact().to_vec()?, b"\x02\x02ab");
/// # Ok::<(), binfmt_runtime::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Compact<'v, T>(pub(crate) &'v T);

impl<'a, T: BinFormat<'a>> Compact<'_, T> {
    /// How many bytes the value takes.
    pub fn encoded_len(&self, args: T::Args) -> Result<u64, Error> {
        let out = Writer::new(writer::Counter::default()).without_floors();
        out.measure(|out| self.0.emit(out, args)).map_err(|fault| self.explain(args, fault))
    }

    /// The value as bytes.
    #[cfg(feature = "alloc")]
    pub fn to_vec(&self) -> Result<alloc::vec::Vec<u8>, Error>
    where
        T: crate::DefaultArgs<'a>,
    {
        self.to_vec_with(T::default_args())
    }

    /// [`to_vec`](Self::to_vec) for a value that takes arguments.
    #[cfg(feature = "alloc")]
    pub fn to_vec_with(&self, args: T::Args) -> Result<alloc::vec::Vec<u8>, Error> {
        let mut bytes = alloc::vec::Vec::new();
        let mut out = Writer::new(&mut bytes).without_floors();
        self.0.emit(&mut out, args).map_err(|fault| self.explain(args, fault))?;
        Ok(bytes)
    }

    /// Writes the value to the start of `out` and returns its length in bytes.
    pub fn write_into_with(&self, out: &mut [u8], args: T::Args) -> Result<usize, Error> {
        let mut out = Writer::new(Slice::new(out)).without_floors();
        self.0.emit(&mut out, args).map_err(|fault| self.explain(args, fault))?;
        Ok(usize::try_from(out.pos()).unwrap_or(usize::MAX))
    }

    /// Writes the value to any writer, strictly forward.
    #[cfg(feature = "std")]
    pub fn write_to_with<W: std::io::Write>(&self, out: W, args: T::Args) -> std::io::Result<()> {
        let mut io = writer::Io { out, error: None };
        let result = self.0.emit(&mut Writer::new(&mut io).without_floors(), args);
        match (result, io.error) {
            (Ok(()), _) => Ok(()),
            (Err(_), Some(error)) => Err(error),
            (Err(fault), None) => Err(self.explain(args, fault).into()),
        }
    }

    fn explain(&self, args: T::Args, fault: crate::Fault) -> Error {
        writer::explain::<T>(self.0, args, fault, true)
    }
}
