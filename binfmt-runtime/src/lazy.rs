//! Lazy values: their bytes are known when they are read, their fields when they are asked for.

use core::fmt;

use crate::finding::{Error, Fault};
use crate::layout::Layout;
use crate::observe::{Observer, Read};
use crate::writer::Writer;
use crate::{Cursor, DefaultArgs, Fill, Wire, record, seq, walk};

/// A value that fills its bytes and is read when [`get`](Self::get) is called.
///
/// Reading takes only the bytes. `is_valid` and `validate` look at the value itself.
pub struct Lazy<'a, T: Wire<'a>> {
    source: Source<'a, T>,
}

enum Source<'a, T: Wire<'a>> {
    /// Bytes of a file.
    File(Cursor<'a>, T::Args),
    /// A value to be written.
    Value(&'a T),
}

impl<'a, T: Wire<'a>> Clone for Lazy<'a, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<'a, T: Wire<'a>> Copy for Lazy<'a, T> {}

impl<'a, T: Wire<'a>> Clone for Source<'a, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<'a, T: Wire<'a>> Copy for Source<'a, T> {}

impl<'a, T: Wire<'a>> From<&'a T> for Lazy<'a, T> {
    fn from(value: &'a T) -> Self {
        Self { source: Source::Value(value) }
    }
}

impl<'a, T: Wire<'a>> Lazy<'a, T> {
    /// The bytes of the value, if they lie in a file.
    pub fn bytes(&self) -> Option<&'a [u8]> {
        match &self.source {
            Source::File(cur, _) => Some(cur.rest()),
            Source::Value(_) => None,
        }
    }
}

impl<'a, T: Wire<'a> + Clone> Lazy<'a, T> {
    /// Reads the value.
    pub fn get(&self) -> Result<T, Error> {
        match self.source {
            Source::File(cur, args) => read(cur, args),
            Source::Value(value) => Ok(value.clone()),
        }
    }
}

/// Reads a value that fills its bytes.
fn read<'a, T: Wire<'a>>(start: Cursor<'a>, args: T::Args) -> Result<T, Error> {
    let mut cur = start;
    match T::walk(&mut cur, &mut Read::new(start.file().len()), args) {
        Ok(value) if cur.remaining() == 0 => Ok(value),
        Ok(_) => Err(seq::end_error(cur)),
        Err(fault) => Err(record::locate::<T>(start, args, fault)),
    }
}

impl<'a, T: Wire<'a>> Wire<'a> for Lazy<'a, T> {
    type Args = T::Args;

    const WIRE: &'static Layout = T::WIRE;
    // A type may contain itself, and then has no size that could be asked for here.
    const MIN_SIZE: usize = 0;
    const FIXED: bool = false;
    const PARAMETERS: &'static [&'static str] = T::PARAMETERS;

    #[inline(always)]
    fn walk<O: Observer>(cur: &mut Cursor<'a>, obs: &mut O, args: T::Args) -> Result<Self, Fault> {
        let mut region = *cur;
        region.fill = Fill::Exact;
        cur.skip_all();
        if obs.walks_items() {
            look::<T, O>(region, obs, args)?;
        }
        Ok(Self { source: Source::File(region, args) })
    }

    fn emit(&self, out: &mut Writer<'_>, args: T::Args) -> Result<(), Fault> {
        out.level::<T>(|out| match self.source {
            Source::Value(value) => value.emit(out, args),
            Source::File(cur, own) => match read::<T>(cur, own) {
                Ok(value) => value.emit(out, args),
                Err(error) => Err(out.fail_to_read(&error)),
            },
        })
    }
}

/// Walks the value; its end is known, so a validator goes on behind it.
fn look<'a, T: Wire<'a>, O: Observer>(
    mut cur: Cursor<'a>,
    obs: &mut O,
    args: T::Args,
) -> Result<(), Fault> {
    if obs.limits().descend::<T>().is_none() {
        return Err(seq::too_deep(&cur, obs));
    }
    let depth = obs.depth();
    let walked = obs.nested::<T>(&mut cur, args);
    obs.limits().ascend::<T>();
    match walked {
        Ok(_) => walk::finish(&cur, obs),
        Err(_) if O::RECORD && !obs.limits().is_spent() => {
            obs.unwind(depth, cur.pos());
            Ok(())
        }
        Err(fault) => Err(fault),
    }
}

impl<'a, T: DefaultArgs<'a>> DefaultArgs<'a> for Lazy<'a, T> {
    fn default_args() -> T::Args {
        T::default_args()
    }
}

impl<'a, T: Wire<'a> + Clone + fmt::Debug> fmt::Debug for Lazy<'a, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Lazy").field(&self.get()).finish()
    }
}

impl<'a, T: Wire<'a> + Clone + PartialEq> PartialEq for Lazy<'a, T> {
    fn eq(&self, other: &Self) -> bool {
        // An error names offsets, which are no part of the value.
        self.get().ok() == other.get().ok()
    }
}
