//! Values that are written over their old bytes, in a slice or a file, without writing the rest.

use alloc::vec::Vec;

use core::ops::Range;

use crate::finding::{Class, Error, Finding, Problem, Severity, Show};
use crate::ops::wide;
use crate::{BinFormat, Cursor, Text, Wire, format, record, writer};

#[cfg(feature = "std")]
pub use self::file::{Pages, update_file};

/// Writes a value over the old one, which is all of `place`; offsets count from its start. For those
/// that count from a file around it there is [`update_in`].
///
/// Nothing is touched where that is refused: the value has another length, the old bytes cannot be
/// read, or bytes lie between the old fields that would be lost.
///
/// ```
/// use binfmt_runtime::{BinFormat, update};
///
/// #[derive(BinFormat)]
/// #[bin(little)]
/// struct Entry {
///     count: u32,
///     #[bin(prefix = u8)]
///     name: String,
/// }
///
/// let mut file = *b"HEAD\x07\0\0\0\x03tea...";
/// let mut entry = Entry::parse(&file[4..12])?;
/// entry.count += 1;
/// update(&entry, &mut file[4..12], ())?;
/// assert_eq!(&file, b"HEAD\x08\0\0\0\x03tea...");
///
/// entry.name.push('s');
/// let error = update(&entry, &mut file[4..12], ()).unwrap_err();
/// assert_eq!(error.finding().code, "size");
/// assert_eq!(&file, b"HEAD\x08\0\0\0\x03tea...");
/// # Ok::<(), binfmt_runtime::Error>(())
/// ```
pub fn update<T, A: Copy>(value: &T, place: &mut [u8], args: A) -> Result<(), Error>
where
    T: for<'b> BinFormat<'b> + for<'b> Wire<'b, Args = A>,
{
    let all = 0..place.len();
    update_in(value, place, all, args)
}

/// Writes a value over the old one in a range of `file`, as [`parse_in`](BinFormat::parse_in) reads it:
/// offsets stay those of `file`.
///
/// The bytes in front of the range are copied, for values may look at them. Those behind it are not there: a value
/// with a `view` of them is refused.
///
/// What [`update()`] refuses is refused here too, and a checksum over the file (`over = file`), which
/// covers bytes outside of the range.
///
/// ```
/// use binfmt_runtime::{BinFormat, update_in};
///
/// #[derive(BinFormat)]
/// struct Part {
///     at: u8,
///     #[bin(at = at, base = file, len = 2)]
///     name: String,
/// }
///
/// let mut file = *b"HEAD\x05no!";
/// let mut part = Part::parse_in(&file, 4..7, ())?;
/// part.name = "ok".into();
/// update_in(&part, &mut file, 4..7, ())?;
/// assert_eq!(&file, b"HEAD\x05ok!");
/// # Ok::<(), binfmt_runtime::Error>(())
/// ```
pub fn update_in<T, A: Copy>(
    value: &T,
    file: &mut [u8],
    range: Range<usize>,
    args: A,
) -> Result<(), Error>
where
    T: for<'b> BinFormat<'b> + for<'b> Wire<'b, Args = A>,
{
    let new = replacement::<T>(value, file, range.clone(), args)?;
    if let Some(place) = file.get_mut(range).filter(|place| place.len() == new.len()) {
        place.copy_from_slice(&new);
    }
    Ok(())
}

/// The bytes that take the place of the old ones, a range of a file.
pub(crate) fn replacement<'b, T: BinFormat<'b>>(
    value: &T,
    file: &'b [u8],
    range: Range<usize>,
    args: T::Args,
) -> Result<Vec<u8>, Error> {
    let outside = || Error::new(record::outside(file.len(), &range));
    let mut cur = Cursor::within(file, range.clone()).ok_or_else(outside)?;
    let old = cur.rest();
    let before = file.get(..range.start).unwrap_or_default();
    let is_part = range != (0..file.len());
    let written = |value: &T| {
        if is_part { writer::to_part(before, &(value, args)) } else { value.to_vec_with(args) }
    };
    let new = written(value)?;
    if new.len() != old.len() {
        let what =
            format_args!("the value has another length than the bytes that it takes the place of");
        return Err(refused(
            "size",
            &range,
            what,
            Show::Uint(wide(old.len())),
            Show::Uint(wide(new.len())),
        ));
    }
    cur.fill = crate::Fill::Open;
    let kept = written(&format::parse_at::<T>(&mut cur, args)?)?;
    if cur.remaining() > 0 || kept != old {
        let differs = kept.iter().zip(old).position(|(a, b)| a != b).unwrap_or(kept.len());
        let differs = range.start.saturating_add(differs);
        let what = format_args!(
            "the old value would be written otherwise from the byte at {differs:#x} on, so bytes that belong to nothing would be lost"
        );
        return Err(refused("unkept", &range, what, Show::Nothing, Show::Nothing));
    }
    Ok(new)
}

#[cold]
fn refused(
    code: &'static str,
    range: &Range<usize>,
    what: core::fmt::Arguments<'_>,
    expected: Show,
    found: Show,
) -> Error {
    let problem = Problem {
        code,
        class: Class::Invalid,
        start: range.start,
        end: range.end,
        what,
        expected,
        found,
    };
    Error::new(Finding::new(Severity::Error, Text::default(), None, &problem))
}

#[cfg(feature = "std")]
mod file {
    use alloc::vec::Vec;
    use core::fmt;
    use core::marker::PhantomData;
    use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};

    use super::replacement;
    use crate::ops::wide;
    use crate::{BinFormat, Wire};

    /// Writes a value over the old one, `len` bytes at `start` of a file; the rest of the file is
    /// neither read nor written.
    ///
    /// What [`update`](super::update()) refuses is an error of the kind `InvalidData`, and nothing has
    /// been written then. Where writing fails, the error says how many bytes have been.
    pub fn update_file<T, A: Copy, F: Read + Write + Seek>(
        value: &T,
        file: &mut F,
        (start, len): (u64, u64),
        args: A,
    ) -> io::Result<()>
    where
        T: for<'b> BinFormat<'b> + for<'b> Wire<'b, Args = A>,
    {
        let old = read(file, (start, len))?;
        let new = replacement::<T>(value, &old, 0..old.len(), args)?;
        if new == old {
            return Ok(());
        }
        file.seek(SeekFrom::Start(start))?;
        write(file, start, &new)
    }

    /// Reads a range of a file; memory follows what really comes.
    fn read<F: Read + Seek>(file: &mut F, (start, len): (u64, u64)) -> io::Result<Vec<u8>> {
        file.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::new();
        file.take(len).read_to_end(&mut bytes)?;
        if wide(bytes.len()) == len {
            return Ok(bytes);
        }
        let found = bytes.len();
        let what = std::format!("the file ends {found} bytes behind {start:#x}; expected {len}");
        Err(io::Error::new(ErrorKind::UnexpectedEof, what))
    }

    fn write<F: Write>(file: &mut F, start: u64, bytes: &[u8]) -> io::Result<()> {
        let mut left = bytes;
        while !left.is_empty() {
            let error = match file.write(left) {
                Ok(0) => io::Error::from(ErrorKind::WriteZero),
                Ok(taken) => {
                    left = left.get(taken..).unwrap_or_default();
                    continue;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => error,
            };
            let (all, written) = (bytes.len(), bytes.len().saturating_sub(left.len()));
            let what =
                std::format!("{written} of {all} bytes at {start:#x} have been written: {error}");
            return Err(io::Error::new(error.kind(), what));
        }
        file.flush()
    }

    /// Values of one size, one behind the other in a file that need not be in memory: the pages of a
    /// database. Each is read when it is asked for, and written over its old bytes.
    ///
    /// Offsets in a page count from its start. The types own what they hold.
    ///
    /// ```
    /// use binfmt_runtime::{BinFormat, Pages};
    /// use std::io::Cursor;
    ///
    /// #[derive(BinFormat)]
    /// #[bin(little)]
    /// struct Page {
    ///     used: u16,
    ///     #[bin(len = 6)]
    ///     data: Vec<u8>,
    /// }
    ///
    /// // A header of 4 bytes, and three pages.
    /// let file = Cursor::new([b"HEAD".to_vec(), vec![0; 24]].concat());
    /// let mut pages = Pages::<_, Page>::new(file, 4, 8)?;
    /// assert_eq!(pages.count(), 3);
    /// let mut page = pages.get(1)?;
    /// page.used = 5;
    /// pages.update(1, &page)?;
    /// assert_eq!(pages.get(1)?.used, 5);
    /// assert_eq!(pages.into_inner().into_inner()[12], 5);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub struct Pages<F, T, A = ()> {
        file: F,
        start: u64,
        size: u64,
        count: u64,
        args: A,
        page: PhantomData<fn() -> T>,
    }

    impl<F, T, A> fmt::Debug for Pages<F, T, A> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.debug_struct("Pages").field("count", &self.count).finish_non_exhaustive()
        }
    }

    impl<F: Seek, T> Pages<F, T> {
        /// Pages of so many bytes, from an offset up to the end of the file. What is left there and is
        /// no whole page does not count.
        pub fn new(file: F, start: u64, size: u64) -> io::Result<Self> {
            Self::with(file, start, size, ())
        }
    }

    impl<F: Seek, T, A: Copy> Pages<F, T, A> {
        /// Pages of a type that takes arguments.
        pub fn with(mut file: F, start: u64, size: u64, args: A) -> io::Result<Self> {
            let end = file.seek(SeekFrom::End(0))?;
            let count = end.saturating_sub(start).checked_div(size).unwrap_or(0);
            Ok(Self { file, start, size, count, args, page: PhantomData })
        }

        /// How many pages there are.
        pub fn count(&self) -> u64 {
            self.count
        }

        /// The file.
        pub fn into_inner(self) -> F {
            self.file
        }

        /// Where a page lies.
        fn place(&self, index: u64) -> io::Result<(u64, u64)> {
            let at = index.checked_mul(self.size).and_then(|at| at.checked_add(self.start));
            match at.filter(|_| index < self.count) {
                Some(at) => Ok((at, self.size)),
                None => {
                    let what =
                        std::format!("there is no page {index}; the file has {}", self.count);
                    Err(io::Error::new(ErrorKind::InvalidInput, what))
                }
            }
        }
    }

    impl<F: Read + Seek, T, A: Copy> Pages<F, T, A>
    where
        T: for<'b> BinFormat<'b> + for<'b> Wire<'b, Args = A>,
    {
        /// Reads a page; one that cannot be read is an error of the kind `InvalidData`.
        pub fn get(&mut self, index: u64) -> io::Result<T> {
            let place = self.place(index)?;
            let bytes = read(&mut self.file, place)?;
            T::parse_with(&bytes, self.args).map_err(|error| of_page(index, &error.into()))
        }

        /// Writes a page over the old one; see [`update_file`].
        pub fn update(&mut self, index: u64, page: &T) -> io::Result<()>
        where
            F: Write,
        {
            let place = self.place(index)?;
            update_file(page, &mut self.file, place, self.args)
                .map_err(|error| of_page(index, &error))
        }
    }

    fn of_page(index: u64, error: &io::Error) -> io::Error {
        io::Error::new(error.kind(), std::format!("page {index}: {error}"))
    }
}
