//! The trait that a declaration implements, and what a user calls.

use crate::budget::Limits;
use crate::finding::{Error, Fault};
use crate::layout::Layout;
use crate::observe::{Events, Observer, Read};
use crate::value::Value;
use crate::writer::{self, Writer};
use crate::{Cursor, Open, record};

/// A type with a place in a binary format: a declared one, a number, an array, reserved bytes.
///
/// This is what the derive writes and what the runtime walks. It is apart from [`BinFormat`] so that
/// numbers and arrays do not get the methods that files have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not declared as a binary format",
    label = "needs `#[derive(BinFormat)]`",
    note = "add `#[derive(BinFormat)]` to `{Self}`; for bytes use `&[u8]` with `len = ..`; bytes, texts and lists are known by their own names, not by those of aliases"
)]
pub trait Wire<'a>: Sized {
    /// What the value must be told to be read or written; `()` if nothing.
    type Args: Copy;

    /// The declaration as static data.
    const WIRE: &'static Layout;

    /// [`WIRE`](Self::WIRE) for generated code, by a name that no constant of a type itself has.
    #[doc(hidden)]
    const __WIRE: &'static Layout = Self::WIRE;

    /// The smallest number of bytes that a value can have.
    const MIN_SIZE: usize;

    /// Whether every value has exactly [`MIN_SIZE`](Self::MIN_SIZE) bytes.
    const FIXED: bool;

    /// Both for generated code.
    #[doc(hidden)]
    const EXTENT: (usize, bool) = (Self::MIN_SIZE, Self::FIXED);

    /// Whether it is a number or the like, of which no writer computes a part.
    const PLAIN: bool = false;

    /// Whether reading costs the same however long the value is: nothing is copied or looked through.
    const SHALLOW: bool = false;

    /// Whether more bytes behind a value could change what is read: it runs to the end of its region,
    /// or is told apart by what follows, as a variant is whose magic is the beginning of another one. A stream is read
    /// to its end before such a value is.
    const OPEN: Open = Open::Always;

    /// How many bytes of stack a walk over the value takes beside the value itself, at most, where
    /// nothing is optimized: an estimate by the kinds of its fields. It bounds how deep such values nest.
    const FRAME: usize = 2048;

    /// The names of the arguments, in order.
    const PARAMETERS: &'static [&'static str] = &[];

    /// The one walk over the bytes of a value, watched by `obs`.
    fn walk<O: Observer>(
        cur: &mut Cursor<'a>,
        obs: &mut O,
        args: Self::Args,
    ) -> Result<Self, Fault>;

    /// Writes the value forward.
    fn emit(&self, out: &mut Writer<'_>, args: Self::Args) -> Result<(), Fault>;

    /// Whether a reader pays for the value at `cur`.
    #[doc(hidden)]
    fn affords(_: Cursor<'_>, _: Limits, _: Self::Args) -> writer::Affords {
        writer::Affords::Unknown
    }

    /// The value as an inspector shows it.
    fn value(&self) -> Value<'_> {
        Value::Group
    }
}

/// A type that was declared as a binary format with `#[derive(BinFormat)]`.
///
/// These are the methods that a user calls. Offsets, in errors and reports too, are absolute and in
/// bytes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not declared as a binary format",
    label = "needs `#[derive(BinFormat)]`",
    note = "add `#[derive(BinFormat)]` to `{Self}`"
)]
pub trait BinFormat<'a>: Wire<'a> {
    /// The declaration as static data.
    const LAYOUT: &'static Layout = Self::WIRE;

    /// Reads a value from the start of `file`; bytes behind it are left alone.
    fn parse(file: &'a [u8]) -> Result<Self, Error>
    where
        Self: DefaultArgs<'a>,
    {
        Self::parse_with(file, Self::default_args())
    }

    /// Reads a value that takes arguments.
    fn parse_with(file: &'a [u8], args: Self::Args) -> Result<Self, Error> {
        parse_at(&mut Cursor::new(file), args)
    }

    /// Reads a value and returns it with the bytes behind it.
    fn parse_prefix(file: &'a [u8]) -> Result<(Self, &'a [u8]), Error>
    where
        Self: DefaultArgs<'a>,
    {
        Self::parse_prefix_with(file, Self::default_args())
    }

    /// Reads a value that takes arguments and returns it with the bytes behind it.
    fn parse_prefix_with(file: &'a [u8], args: Self::Args) -> Result<(Self, &'a [u8]), Error> {
        let mut cur = Cursor::new(file);
        cur.fill = crate::Fill::Open;
        parse_at(&mut cur, args).map(|value| (value, cur.rest()))
    }

    /// Reads a value from a range of `file`; offsets stay those of `file`. A range that does not lie
    /// in the file is an error.
    fn parse_in(
        file: &'a [u8],
        range: core::ops::Range<usize>,
        args: Self::Args,
    ) -> Result<Self, Error> {
        let cur = Cursor::within(file, range.clone());
        let mut cur = cur.ok_or_else(|| Error::new(record::outside(file.len(), &range)))?;
        parse_at(&mut cur, args)
    }

    /// Whether every part of the value, lazy ones too, can be read.
    ///
    /// Values are looked at and thrown away, so lists and texts that own what they hold take no memory.
    /// What is still allocated is what the walk itself needs:
    ///
    /// - a field of such a type that an expression names, as in `check(names.len() > 1, ..)`, `count(names)` or
    ///   `args(..)`, the item before where `previous` names it, and a `Vec` that is the table of
    ///   `for_each` (a [`Seq`](crate::Seq) is read again instead);
    /// - the places of values that end with `until_next`, which are sorted, and those of tables inside
    ///   others;
    /// - one value at a time for a `Box`;
    /// - what functions of `with` and `map` make, and what encoded values decode to.
    fn is_valid(file: &'a [u8]) -> bool
    where
        Self: DefaultArgs<'a>,
    {
        Self::is_valid_with(file, Self::default_args())
    }

    /// [`is_valid`](Self::is_valid) for a value that takes arguments.
    fn is_valid_with(file: &'a [u8], args: Self::Args) -> bool {
        record::is_valid::<Self>(Cursor::new(file), Limits::for_input(file.len()), args)
    }

    /// Every violation of the declaration, in file order.
    #[cfg(feature = "alloc")]
    fn validate(file: &'a [u8]) -> crate::Report
    where
        Self: DefaultArgs<'a>,
    {
        Self::validate_with(file, Self::default_args())
    }

    /// [`validate`](Self::validate) for a value that takes arguments.
    #[cfg(feature = "alloc")]
    fn validate_with(file: &'a [u8], args: Self::Args) -> crate::Report {
        crate::report::validate::<Self>(Cursor::new(file), Limits::for_input(file.len()), args)
    }

    /// [`validate`](Self::validate) for a value in a range of `file`.
    #[cfg(feature = "alloc")]
    fn validate_in(
        file: &'a [u8],
        range: core::ops::Range<usize>,
        args: Self::Args,
    ) -> crate::Report {
        match Cursor::within(file, range.clone()) {
            Some(cur) => crate::report::validate::<Self>(cur, Limits::for_input(file.len()), args),
            None => crate::report::of(record::outside(file.len(), &range)),
        }
    }

    /// Hands all that an inspector sees to `events`, one field after the other, and what a validator
    /// says between them.
    ///
    /// It keeps the path to where it is and nothing else, so it takes the same memory for every file.
    /// A [`Report`](crate::Report) and a [`TreeBuilder`](crate::TreeBuilder) take events, too.
    fn inspect_into(file: &'a [u8], args: Self::Args, events: &mut dyn Events) {
        let limits = Limits::for_input(file.len());
        record::record(Cursor::new(file), limits, &record::recorded::<Self>(args), events);
    }

    /// [`inspect_into`](Self::inspect_into) for a value in a range of `file`.
    fn inspect_in_into(
        file: &'a [u8],
        range: core::ops::Range<usize>,
        args: Self::Args,
        events: &mut dyn Events,
    ) {
        let limits = Limits::for_input(file.len());
        match Cursor::within(file, range.clone()) {
            Some(cur) => record::record(cur, limits, &record::recorded::<Self>(args), events),
            None => {
                events.finding(record::outside(file.len(), &range));
                events.begin(Self::WIRE, 0);
                events.end(0, None);
            }
        }
    }

    /// Name, type, byte range, value and doc of every field, of a damaged file too.
    ///
    /// The tree has up to a million nodes; others are counted.
    #[cfg(feature = "alloc")]
    fn inspect(file: &'a [u8]) -> crate::Tree
    where
        Self: DefaultArgs<'a>,
    {
        Self::inspect_with(file, Self::default_args())
    }

    /// [`inspect`](Self::inspect) for a value that takes arguments.
    #[cfg(feature = "alloc")]
    fn inspect_with(file: &'a [u8], args: Self::Args) -> crate::Tree {
        crate::tree::inspect::<Self>(Cursor::new(file), Limits::for_input(file.len()), args)
    }

    /// [`inspect`](Self::inspect) for a value in a range of `file`.
    #[cfg(feature = "alloc")]
    fn inspect_in(file: &'a [u8], range: core::ops::Range<usize>, args: Self::Args) -> crate::Tree {
        match Cursor::within(file, range.clone()) {
            Some(cur) => crate::tree::inspect::<Self>(cur, Limits::for_input(file.len()), args),
            None => crate::tree::empty::<Self>(record::outside(file.len(), &range)),
        }
    }

    /// The value as bytes.
    #[cfg(feature = "alloc")]
    fn to_vec(&self) -> Result<alloc::vec::Vec<u8>, Error>
    where
        Self: DefaultArgs<'a>,
    {
        self.to_vec_with(Self::default_args())
    }

    /// [`to_vec`](Self::to_vec) for a value that takes arguments.
    #[cfg(feature = "alloc")]
    fn to_vec_with(&self, args: Self::Args) -> Result<alloc::vec::Vec<u8>, Error> {
        writer::to_vec(false, &(self, args))
    }

    /// How many bytes the value takes.
    fn encoded_len(&self) -> Result<u64, Error>
    where
        Self: DefaultArgs<'a>,
    {
        self.encoded_len_with(Self::default_args())
    }

    /// [`encoded_len`](Self::encoded_len) for a value that takes arguments.
    fn encoded_len_with(&self, args: Self::Args) -> Result<u64, Error> {
        writer::encoded_len(false, &(self, args))
    }

    /// Writes the value to the start of `out` and returns its length in bytes.
    ///
    /// What lies behind that in `out` may be changed, too: a number of variable length may at first be taken
    /// to be longer than it is.
    fn write_into(&self, out: &mut [u8]) -> Result<usize, Error>
    where
        Self: DefaultArgs<'a>,
    {
        self.write_into_with(out, Self::default_args())
    }

    /// [`write_into`](Self::write_into) for a value that takes arguments.
    fn write_into_with(&self, out: &mut [u8], args: Self::Args) -> Result<usize, Error> {
        writer::into_slice(out, false, &(self, args))
    }

    /// Writes the value to any writer, strictly forward.
    ///
    /// A value that cannot be written is an error of the kind `InvalidData`.
    #[cfg(feature = "std")]
    fn write_to<W: std::io::Write>(&self, out: W) -> std::io::Result<()>
    where
        Self: DefaultArgs<'a>,
    {
        self.write_to_with(out, Self::default_args())
    }

    /// [`write_to`](Self::write_to) for a value that takes arguments.
    #[cfg(feature = "std")]
    fn write_to_with<W: std::io::Write>(
        &self,
        mut out: W,
        args: Self::Args,
    ) -> std::io::Result<()> {
        writer::to_io(&mut out, false, &(self, args))
    }

    /// The value as it is written without floors: see [`Compact`](crate::Compact).
    fn compact(&self) -> crate::Compact<'_, Self> {
        crate::Compact(self)
    }

    /// The value with every derived field as it is written, and what it keeps of its arguments as it is passed.
    ///
    /// Also where a writer refuses old numbers, for expressions around their values and rules use them: what
    /// is written with the new ones must be read as the same value, but for what is derived, and written
    /// again as it is. A few numbers may follow from one another. Else it is the writer's error: also where a
    /// size, a place or a number that is `set` follows from an old number, whose value is to be settled first.
    ///
    /// What no file has (`skip`) is its default. `buffer` has the bytes from which the value may borrow, and
    /// perhaps others.
    ///
    /// ```
    /// use binfmt_runtime::BinFormat;
    ///
    /// #[derive(BinFormat)]
    /// struct Name<'a> {
    ///     len: u8,
    ///     #[bin(len = len)]
    ///     text: &'a str,
    /// }
    ///
    /// let mut buffer = Vec::new();
    /// let name = Name { len: 0, text: "abc" }.settle(&mut buffer)?;
    /// assert_eq!(name.len, 3);
    /// # Ok::<(), binfmt_runtime::Error>(())
    /// ```
    #[cfg(feature = "alloc")]
    fn settle(&self, buffer: &'a mut alloc::vec::Vec<u8>) -> Result<Self, Error>
    where
        Self: DefaultArgs<'a>,
    {
        self.settle_with(buffer, Self::default_args())
    }

    /// [`settle`](Self::settle) for a value that takes arguments.
    #[cfg(feature = "alloc")]
    fn settle_with(
        &self,
        buffer: &'a mut alloc::vec::Vec<u8>,
        args: Self::Args,
    ) -> Result<Self, Error> {
        writer::settle(false, self, buffer, args)
    }
}

/// A format whose arguments all have defaults, so that it can be read without any.
#[diagnostic::on_unimplemented(
    message = "`{Self}` takes arguments that have no default",
    note = "call the method that ends in `_with`, or give every argument of `args(..)` a default",
    note = "a number by another name (`type Size = u16`) takes a byte order: add `little` or `big` to the type"
)]
pub trait DefaultArgs<'a>: Wire<'a> {
    /// The arguments that the declaration gives.
    fn default_args() -> Self::Args;
}

/// A declared type, whatever the lifetime of the files that it borrows from.
///
/// Code that names a type once and reads many files needs it: `T::At<'f>` is `T` for a file that lives
/// for `'f`. The derive implements it for every type without type parameters.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read for files of any lifetime",
    note = "`#[derive(BinFormat)]` implements this for types without type parameters; give such a \
            type its arguments in a declaration of its own"
)]
pub trait Family {
    /// The same type, for a file that lives for `'f`.
    type At<'f>;
}

impl<const N: usize> DefaultArgs<'_> for crate::Reserved<N> {
    fn default_args() {}
}

#[inline(always)]
pub(crate) fn parse_at<'a, T: Wire<'a>>(cur: &mut Cursor<'a>, args: T::Args) -> Result<T, Error> {
    let start = *cur;
    match T::walk(cur, &mut Read::new(start.file().len()), args) {
        Ok(value) => Ok(value),
        Err(fault) => Err(record::locate::<T>(start, args, fault)),
    }
}
