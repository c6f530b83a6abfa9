//! Types of the crate [`binrw`](https://docs.rs/binrw) in declarations, and declared types in its own.
//!
//! ```
//! use binfmt_runtime::BinFormat;
//! use binfmt_runtime::binrw::Declared;
//! use binrw::{BinRead, BinWrite, binrw};
//!
//! #[derive(BinFormat, Debug, PartialEq)]
//! #[bin(little)]
//! struct Inner {
//!     count: u8,
//!     #[bin(count = count)]
//!     items: Vec<u16>,
//! }
//!
//! #[binrw]
//! #[brw(big)]
//! struct Theirs {
//!     before: u16,
//!     inner: Declared<Inner>,
//!     after: u8,
//! }
//!
//! #[derive(BinFormat)]
//! struct Ours {
//!     len: u8,
//!     #[bin(with = binfmt_runtime::binrw::big)]
//!     theirs: Theirs,
//! }
//!
//! let bytes = [9, 0, 1, 2, 5, 0, 6, 0, 7];
//! let ours = Ours::parse(&bytes).unwrap();
//! assert_eq!(ours.theirs.inner.0.items, [5, 6]);
//! assert_eq!(ours.theirs.after, 7);
//! assert_eq!(ours.to_vec().unwrap(), bytes);
//! assert_eq!(Ours::parse(&bytes[..8]).err().unwrap().finding().code, "with");
//! ```

use alloc::boxed::Box;
use std::io::{Read, Seek, SeekFrom, Write};

use binrw::{BinRead, BinResult, BinWrite, Endian, Error};

use crate::{BinFormat, DefaultArgs, Stream};

/// A declared type as a field of a type of `binrw`. Its byte order is that of its declaration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Declared<T>(pub T);

impl<T> BinRead for Declared<T>
where
    T: for<'a> BinFormat<'a> + for<'a> DefaultArgs<'a>,
{
    type Args<'a> = ();

    fn read_options<R: Read + Seek>(source: &mut R, _: Endian, (): ()) -> BinResult<Self> {
        let pos = source.stream_position()?;
        let mut stream = Stream::new(&mut *source);
        let read = stream.read::<T>();
        let ahead = crate::ops::wide(stream.buffered().len());
        match read {
            Ok(value) => {
                let end = source.stream_position()?.saturating_sub(ahead);
                source.seek(SeekFrom::Start(end))?;
                Ok(Self(value))
            }
            Err(error) => {
                source.seek(SeekFrom::Start(pos))?;
                Err(Error::Custom { pos, err: Box::new(error) })
            }
        }
    }
}

impl<T> BinWrite for Declared<T>
where
    T: for<'a> BinFormat<'a> + for<'a> DefaultArgs<'a>,
{
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, out: &mut W, _: Endian, (): ()) -> BinResult<()> {
        let pos = out.stream_position()?;
        match self.0.to_vec() {
            Ok(bytes) => Ok(out.write_all(&bytes)?),
            Err(error) => Err(Error::Custom { pos, err: Box::new(error) }),
        }
    }
}

macro_rules! bridge {
    ($(#[$doc:meta])* $name:ident $endian:ident) => {
        $(#[$doc])*
        pub mod $name {
            use alloc::vec::Vec;
            use std::io;

            use binrw::{BinRead, BinWrite, Endian};

            use crate::{Cursor, Fault, Show, Writer};

            /// Reads a field of any type of `binrw`.
            pub fn read<T>(cur: &mut Cursor<'_>) -> Result<T, Fault>
            where
                T: for<'a> BinRead<Args<'a> = ()>,
            {
                let mut rest = io::Cursor::new(cur.rest());
                let read = T::read_options(&mut rest, Endian::$endian, ());
                let value = read.map_err(|_| Fault::at(cur.pos()))?;
                cur.take(rest.position()).ok_or(Fault::at(cur.pos()))?;
                Ok(value)
            }

            /// Writes a field of any type of `binrw`.
            pub fn write<T>(value: &T, out: &mut Writer<'_>) -> Result<(), Fault>
            where
                T: for<'a> BinWrite<Args<'a> = ()>,
            {
                let mut bytes = io::Cursor::new(Vec::new());
                if let Err(error) = value.write_options(&mut bytes, Endian::$endian, ()) {
                    let what = format_args!("`binrw` cannot write the field: {error}");
                    return Err(out.fail("with", what, Show::Nothing, Show::Nothing));
                }
                out.put(bytes.get_ref())
            }
        }
    };
}

bridge! {
    /// `with = binfmt_runtime::binrw::little`: a field of a type of `binrw`, in that byte order.
    little Little
}

bridge! {
    /// `with = binfmt_runtime::binrw::big`: a field of a type of `binrw`, in that byte order.
    big Big
}
