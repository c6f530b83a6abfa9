//! Writing without floors: everything moves as close together as it may.

use crate::BinFormat;
use crate::finding::Error;
use crate::writer;

/// A value that is written as if it were new: stored offsets, padded sizes and lengths of sections are
/// forgotten, and bytes that belong to no field are left out. A section whose length no number keeps, as in
/// a page that says its own size, stays as long as it is, and has fill where no field lies; a value whose
/// size the type around it fixes is refused where it would be shorter.
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
        writer::encoded_len(true, &(self.0, args))
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
        writer::to_vec(true, &(self.0, args))
    }

    /// The value with every derived field as it is written so, as [`settle`](crate::BinFormat::settle) gives it:
    /// also where the writer refuses, for expressions use places that move.
    #[cfg(feature = "alloc")]
    pub fn settle_with(
        &self,
        buffer: &'a mut alloc::vec::Vec<u8>,
        args: T::Args,
    ) -> Result<T, Error> {
        writer::settle(true, self.0, buffer, args)
    }

    /// Writes the value to the start of `out` and returns its length in bytes.
    pub fn write_into_with(&self, out: &mut [u8], args: T::Args) -> Result<usize, Error> {
        writer::into_slice(out, true, &(self.0, args))
    }

    /// Writes the value to any writer, strictly forward.
    #[cfg(feature = "std")]
    pub fn write_to_with<W: std::io::Write>(
        &self,
        mut out: W,
        args: T::Args,
    ) -> std::io::Result<()> {
        writer::to_io(&mut out, true, &(self.0, args))
    }
}
