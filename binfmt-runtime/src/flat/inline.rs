//! Declared types of fixed size that lie in the table itself: named numbers, structs.

use super::{FlatValue, Flaw, Place, report};
use crate::finding::Fault;
use crate::layout::Layout;
use crate::observe::{Observer, Read};
use crate::value::Value;
use crate::{Cursor, Reserved, Wire};

/// Reads a value of fixed size.
#[inline(always)]
pub fn inline<'a, T: Wire<'a, Args = ()>, O: Observer>(
    place: Place<'a>,
    obs: &mut O,
) -> Result<T, Fault> {
    let end = place.offset().saturating_add(T::MIN_SIZE);
    match Cursor::within(place.buf.file, place.offset()..end) {
        Some(mut cur) => obs.nested::<T>(&mut cur, ()),
        None => Err(report::flawed(place, obs, Flaw::Outside, T::MIN_SIZE)),
    }
}

/// The named number that stands for an absent one: 0, if it has a name.
#[inline]
pub fn enum_default<'a, T: Wire<'a, Args = ()>>() -> Option<T> {
    static ZEROS: [u8; 8] = [0; 8];
    T::walk(&mut Cursor::new(&ZEROS), &mut Read::new(ZEROS.len()), ()).ok()
}

impl<'a, const N: usize> FlatValue<'a> for Reserved<N> {
    const ALIGN: usize = 1;
    const OFFSET: bool = false;
    const SIZE: usize = N;
    const FLAT: &'static Layout = <Self as Wire<'a>>::WIRE;

    fn walk<O: Observer>(place: Place<'a>, obs: &mut O) -> Result<Self, Fault> {
        inline(place, obs)
    }

    fn absent() -> Option<Self> {
        None
    }

    fn value(&self) -> Value<'_> {
        Wire::value(self)
    }
}

/// Fails to compile if a field that may be absent has no value then.
///
/// # Panics
///
/// Nothing stands for an absent value of the type.
pub const fn stands_for_absent<'a, T: FlatValue<'a>>() {
    assert!(
        T::HAS_DEFAULT,
        "nothing stands for an absent table or struct; make the field an `Option`, or `required`"
    );
}

/// The alignment of a struct with members of these sizes and alignments.
///
/// # Panics
///
/// A member lies on no multiple of its alignment.
pub const fn struct_align(mut members: &[(usize, usize)]) -> usize {
    let (mut at, mut most) = (0_usize, 1);
    while let [(size, align), rest @ ..] = members {
        assert!(
            at.is_multiple_of(*align),
            "a member of a struct lies on a multiple of its alignment; add `Reserved<N>` before it"
        );
        at = at.saturating_add(*size);
        if *align > most {
            most = *align;
        }
        members = rest;
    }
    assert!(
        at.is_multiple_of(most),
        "the size of a struct is a multiple of its alignment; add `Reserved<N>` at its end"
    );
    most
}
