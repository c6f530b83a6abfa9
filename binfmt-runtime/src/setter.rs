//! Numbers of nested values and of the items of a table, which the writer sets.

mod blank;
mod stored;

pub use blank::{AnyBlank, Blank, NumberBlank};
pub use stored::{AnyStored, NumberStored, Stored};

use crate::coded::{Coded, Encoding, NumberOf};
use crate::finding::Fault;
use crate::int::Int as _;
use crate::named::{Named, has_no_value};
use crate::narrow::{I24, I40, I48, I56, U24, U40, U48, U56};
use crate::ops::{Bits as _, Wide, Widen, show_number, to_show, wide};
use crate::write::{convert, moves, too_wide};
use crate::writer::Writer;

/// A number that the writer of the value around it can set.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no number that a writer can set",
    label = "needs an integer",
    note = "`for_each` and `set` compute integers, such as `u32` or `Leb128<u32>`, and enums of numbers; a `map` may store one in another form; a size that a call gives is compared alone: `len = it.size.get()`"
)]
pub trait Settable: Sized {
    /// `u64` for unsigned, `i64` for signed numbers.
    type Wide: Wide;

    /// How many bytes it has at most.
    const MOST: usize;

    /// Whether only some numbers are values of the type, whatever fits into its bytes.
    const IS_NAMED: bool = false;

    /// The number in the wide type.
    fn in_wide(&self) -> Self::Wide;

    /// A number in the place of this one, whose form it keeps; `None` if it does not fit.
    fn replaced(&self, number: i128) -> Option<Self>;

    /// The same number in more bytes, and how many more these are: so many at most. `None` if it has
    /// but one form.
    #[inline(always)]
    fn longer(&self, _bytes: u64) -> Option<(Self, u64)> {
        None
    }
}

/// Where a size or a place is told: a number, or one that may be absent and stays so.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no number that a writer can set",
    label = "needs an integer",
    note = "`for_each` and `set` compute integers, such as `u32` or `Leb128<u32>`, and enums of numbers; a `map` may store one in another form; a size that a call gives is compared alone: `len = it.size.get()`"
)]
pub trait Target {
    /// The type of the number.
    type Number: Settable;

    /// The number, if it is there.
    fn number(&mut self) -> Option<&mut Self::Number>;

    /// The same, to look at.
    fn told(&self) -> Option<&Self::Number>;

    /// How far below 0 it may go.
    fn lowest(&self) -> u64;
}

#[diagnostic::do_not_recommend]
impl<T: Settable> Target for T {
    type Number = T;

    #[inline(always)]
    fn number(&mut self) -> Option<&mut T> {
        Some(self)
    }

    #[inline(always)]
    fn told(&self) -> Option<&T> {
        Some(self)
    }

    #[inline(always)]
    fn lowest(&self) -> u64 {
        lowest_as::<T>()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Settable> Target for Option<T> {
    type Number = T;

    #[inline(always)]
    fn number(&mut self) -> Option<&mut T> {
        self.as_mut()
    }

    #[inline(always)]
    fn told(&self) -> Option<&T> {
        self.as_ref()
    }

    #[inline(always)]
    fn lowest(&self) -> u64 {
        self.as_ref().map_or(0, |_| lowest_as::<T>())
    }
}

/// How far below 0 a number goes.
pub fn lowest<T: Target>(number: &T) -> u64 {
    number.lowest()
}

/// How far below 0 numbers of this type go.
fn lowest_as<T: Settable>() -> u64 {
    if !T::Wide::SIGNED {
        return 0;
    }
    let bits = u32::try_from(T::MOST.saturating_mul(8)).unwrap_or(u32::MAX);
    1_u64.checked_shl(bits.saturating_sub(1)).unwrap_or(u64::MAX)
}

/// The same of a number of the items of a table.
pub fn lowest_of<I, T: Target>(_: impl Fn(&I) -> T) -> u64 {
    lowest_as::<T::Number>()
}

/// The same, where the items say what they are.
pub fn lowest_in<I, T: Target>(_: &[I], number: impl Fn(&I) -> T) -> u64 {
    lowest_of(number)
}

macro_rules! settable {
    ($($wide:ty: $($number:ty)*;)*) => { $($(impl Settable for $number {
        type Wide = $wide;

        const MOST: usize = size_of::<Self>();

        #[inline(always)]
        fn in_wide(&self) -> $wide {
            self.widen()
        }

        #[inline(always)]
        fn replaced(&self, number: i128) -> Option<Self> {
            Self::try_from(<$wide>::try_from(number).ok()?).ok()
        }
    })*)* };
}

settable! {
    u64: u8 u16 u32 u64 U24 U40 U48 U56;
    i64: i8 i16 i32 i64 I24 I40 I48 I56;
}

impl<E, T> Settable for Coded<E, T>
where
    E: Encoding<Wide: TryFrom<i128>>,
    T: NumberOf<E::Wide>,
{
    type Wide = E::Wide;

    const MOST: usize = size_of::<T>();

    fn in_wide(&self) -> E::Wide {
        self.widen()
    }

    fn replaced(&self, number: i128) -> Option<Self> {
        let number = T::try_from(E::Wide::try_from(number).ok()?).ok()?;
        Some(Self::new(number).in_place_of(self))
    }

    fn longer(&self, bytes: u64) -> Option<(Self, u64)> {
        let least = self.width();
        let more = usize::try_from(bytes).map_or(usize::MAX, |more| least.saturating_add(more));
        let most = more.min(usize::from(E::MOST));
        // An encoding may have no form of just so many bytes.
        let forms = (least..=most).rev().map(|len| self.padded_to(len));
        let longer = forms.into_iter().find(|number| number.width() <= most)?;
        Some((longer, wide(longer.width().saturating_sub(least))))
    }
}

/// Enums of numbers.
#[diagnostic::do_not_recommend]
impl<N: Named> Settable for N {
    type Wide = <N::Number as Settable>::Wide;

    const MOST: usize = <N::Number as Settable>::MOST;

    const IS_NAMED: bool = true;

    #[inline(always)]
    fn in_wide(&self) -> Self::Wide {
        Named::number(self).in_wide()
    }

    #[inline(always)]
    fn replaced(&self, number: i128) -> Option<Self> {
        N::of_number(Named::number(self).replaced(number)?)
    }
}

/// The bits of a number of the type of another one, as that number.
pub(crate) fn signed_as<T: Target>(number: &T, bits: u64) -> i128 {
    if lowest(number) > 0 { i128::from(bits.cast_signed()) } else { i128::from(bits) }
}

/// A value that a condition can set.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is set to a condition, and is no `bool`",
    label = "needs a `bool`",
    note = "a number is set to a number: `if .. {{ 1 }} else {{ 0 }}`"
)]
pub trait Truth: PartialEq + From<bool> {}

impl Truth for bool {}

/// Sets one truth value, to 1 or 0.
#[inline(always)]
pub fn set_truth<T: Truth>(
    out: &mut Writer<'_>,
    field: &'static str,
    at: u64,
    place: &mut T,
    names: &[&'static str],
    value: Option<u64>,
) -> Result<(), Fault> {
    let truth = T::from(convert::<u8, _>(out, field, at, value)? != 0);
    out.computed_as(names, at, *place == truth)?;
    *place = truth;
    Ok(())
}

/// A number that has been set is what it is set to once the width of a value is known that it tells.
pub fn stays<T: Target>(
    out: &mut Writer<'_>,
    names: &[&'static str],
    at: u64,
    set: &T,
    again: Option<impl Into<i128>>,
) -> Result<(), Fault> {
    let Some(number) = set.told().map(Settable::in_wide) else { return Ok(()) };
    let again = again.map(Into::into);
    if again == Some(signed_as(set, number.bits())) || !out.checks() {
        return Ok(());
    }
    Err(moves(out, names, at, (to_show(number), show_number(again))))
}

/// Sets one number to a tag, which may be that of an enum with numbers below 0.
pub fn set_tag<T: Target>(
    out: &mut Writer<'_>,
    field: &'static str,
    at: u64,
    place: &mut T,
    names: &[&'static str],
    tag: Option<u64>,
) -> Result<(), Fault> {
    let tag = tag.map(|tag| signed_as(place, tag));
    set(out, field, at, place, names, tag)
}

/// Sets one number; one that is absent stays so.
#[inline(always)]
pub fn set<T: Target>(
    out: &mut Writer<'_>,
    field: &'static str,
    at: u64,
    place: &mut T,
    names: &[&'static str],
    value: Option<impl Into<i128>>,
) -> Result<(), Fault> {
    let Some(place) = place.number() else { return Ok(()) };
    let value: Option<i128> = value.map(Into::into);
    let Some(number) = value.and_then(|value| place.replaced(value)) else {
        // While numbers are found out, any is as good.
        if out.takes_any() {
            return Ok(());
        }
        let found = show_number(value);
        return Err(if T::Number::IS_NAMED && value.is_some() {
            has_no_value(out, field, at, found)
        } else {
            too_wide(out, field, at, found, T::Number::MOST)
        });
    };
    out.computed_as_wide(names, at, (place.in_wide(), number.in_wide()))?;
    *place = number;
    out.lengthen(place);
    Ok(())
}
