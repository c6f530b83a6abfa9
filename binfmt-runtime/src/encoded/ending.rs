//! Coded bytes of no stored length, whose codec says where they end.

use alloc::vec::Vec;

use super::coding::decodes_to;
use super::{Codec, Encoded, EndsItself};
use crate::finding::{Fault, Show};
use crate::layout::Layout;
use crate::observe::Observer;
use crate::ops::wide;
use crate::value::Value;
use crate::writer::Writer;
use crate::{Cursor, Wire};

/// A value in coded bytes that end where their codec says, for generated code.
#[doc(hidden)]
#[derive(Debug)]
pub struct Ending<C, T>(pub Encoded<C, T>);

impl<'a, C: Codec, A: Copy, T> Wire<'a> for Ending<C, T>
where
    T: for<'b> Wire<'b, Args = A>,
{
    type Args = (C, A);

    const WIRE: &'static Layout = <Encoded<C, T> as Wire<'a>>::WIRE;
    const MIN_SIZE: usize = 0;
    const FIXED: bool = false;
    const FRAME: usize = <Encoded<C, T> as Wire<'a>>::FRAME;
    const PARAMETERS: &'static [&'static str] = <T as Wire<'a>>::PARAMETERS;

    fn walk<O: Observer>(cur: &mut Cursor<'a>, obs: &mut O, args: (C, A)) -> Result<Self, Fault> {
        Encoded::read(cur, obs, args, true).map(Self)
    }

    fn emit(&self, out: &mut Writer<'_>, args: (C, A)) -> Result<(), Fault> {
        emit_ending(&self.0, out, args)
    }

    fn value(&self) -> Value<'_> {
        <Encoded<C, T> as Wire<'a>>::value(&self.0)
    }
}

/// Writes a value in coded bytes that end where their codec says, for generated code.
#[doc(hidden)]
pub fn emit_ending<C: Codec, A: Copy, T>(
    value: &Encoded<C, T>,
    out: &mut Writer<'_>,
    args: (C, A),
) -> Result<(), Fault>
where
    T: for<'b> Wire<'b, Args = A>,
{
    value.write(out, args, true)
}

/// The codec of a field with `until_codec`.
#[doc(hidden)]
pub fn ends_itself<C: EndsItself>(codec: C) -> C {
    codec
}

/// Whether a codec that decodes these bytes to `decoded` also ends with them where others follow.
pub(super) fn stops_there<C: Codec>(codec: &C, stored: &[u8], decoded: &[u8]) -> bool {
    // What goes on with anything goes on with what it has begun with.
    let again = stored.get(..16).unwrap_or(stored);
    let mut followed = Vec::new();
    if followed.try_reserve_exact(stored.len().saturating_add(32)).is_err() {
        return false;
    }
    followed.extend_from_slice(stored);
    followed.extend_from_slice(again);
    followed.extend_from_slice(&[0; 16]);
    decodes_to(codec, &followed, decoded) == Some(stored.len())
}

/// What a codec makes goes on where others follow it.
#[cold]
pub(super) fn goes_on<C: Codec>(out: &mut Writer<'_>) -> Fault {
    let name = C::NAME;
    let what = format_args!("what {name} makes of the value does not end where other bytes follow");
    out.fail("codec", what, Show::Nothing, Show::Nothing)
}

/// The value keeps bytes behind its coded ones.
#[cold]
pub(super) fn no_end(out: &mut Writer<'_>, len: usize) -> Fault {
    let what = format_args!(
        "the value keeps bytes behind its coded ones, and what ends where its codec says has none"
    );
    out.fail("trailing", what, Show::Uint(0), Show::Uint(wide(len)))
}
