//! Fields that are on the wire but not in the struct, and bytes that are kept as they are.

use core::fmt;
use core::marker::PhantomData;

use crate::finding::{Class, Fault, Problem, Severity, Show};
use crate::layout::Layout;
use crate::observe::Observer;
use crate::value::Value;
use crate::writer::Writer;
use crate::{Cursor, Open, Wire};

/// A derived integer that takes no room in the struct: the writer computes it.
///
/// ```
/// use binfmt_runtime::{Auto, BinFormat};
///
/// #[derive(BinFormat)]
/// #[bin(little)]
/// struct Name<'a> {
///     len: Auto<u16>,
///     #[bin(len = len)]
///     text: &'a str,
/// }
///
/// let name = Name { len: Auto::new(), text: "binfmt" };
/// assert_eq!(name.to_vec().unwrap(), b"\x06\0binfmt");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Auto<T>(PhantomData<T>);

impl<T> Auto<T> {
    /// The field; it has no value of its own.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T> Default for Auto<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> fmt::Debug for Auto<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Auto")
    }
}

/// `N` bytes without a meaning: zero when new, kept when read, a warning when set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reserved<const N: usize>(pub [u8; N]);

impl<const N: usize> Default for Reserved<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

impl<'a, const N: usize> Wire<'a> for Reserved<N> {
    type Args = ();

    const WIRE: &'static Layout = &Layout::scalar("Reserved");
    const MIN_SIZE: usize = N;
    const FIXED: bool = true;
    const PLAIN: bool = true;
    const SHALLOW: bool = true;
    const OPEN: Open = Open::Never;

    #[inline(always)]
    fn walk<O: Observer>(cur: &mut Cursor<'a>, obs: &mut O, (): ()) -> Result<Self, Fault> {
        let Some(bytes) = cur.take_array::<N>() else {
            return Err(crate::walk::short(cur, obs, crate::ops::wide(N)));
        };
        if O::RECORD && bytes.iter().any(|byte| *byte != 0) {
            obs.note(
                Severity::Warning,
                &Problem {
                    code: "reserved",
                    class: Class::Invalid,
                    start: cur.pos().saturating_sub(N),
                    end: cur.pos(),
                    what: format_args!("reserved bytes are set"),
                    expected: Show::Hex(0),
                    found: Show::bytes(bytes),
                },
            );
        }
        Ok(Self(*bytes))
    }

    #[inline(always)]
    fn emit(&self, out: &mut Writer<'_>, (): ()) -> Result<(), Fault> {
        out.put(&self.0)
    }

    fn value(&self) -> Value<'_> {
        Value::Bytes(&self.0)
    }
}
