//! Numbers that will be set, which decide nothing before.

use super::{Settable, signed_as};
use crate::writer::Writer;

/// A place whose number will be set: its value is measured, and what it was must decide nothing.
#[derive(Debug)]
pub struct Blank<'p, T>(pub &'p mut T);

/// It is a number.
pub trait NumberBlank {
    /// Sets it to 0.
    fn blank(self);

    /// Sets it to the bits of a number; whether it is there and can hold that.
    fn put(self, number: u64) -> bool;

    /// Gives it the bytes that the region around it has more than its numbers need.
    fn lengthen(self, out: &mut Writer<'_>);
}

impl<T: Settable> NumberBlank for Blank<'_, T> {
    #[inline(always)]
    fn blank(self) {
        if let Some(zero) = self.0.replaced(0) {
            *self.0 = zero;
        }
    }

    fn put(self, number: u64) -> bool {
        self.0.replaced(signed_as(self.0, number)).map(|number| *self.0 = number).is_some()
    }

    fn lengthen(self, out: &mut Writer<'_>) {
        out.lengthen(self.0);
    }
}

impl<T: Settable> NumberBlank for Blank<'_, Option<T>> {
    #[inline(always)]
    fn blank(self) {
        if let Some(number) = self.0 {
            Blank(number).blank();
        }
    }

    fn put(self, number: u64) -> bool {
        self.0.as_mut().is_some_and(|place| Blank(place).put(number))
    }

    fn lengthen(self, out: &mut Writer<'_>) {
        if let Some(number) = self.0 {
            Blank(number).lengthen(out);
        }
    }
}

/// It is none, which the compiler says once, of the writer.
pub trait AnyBlank {
    /// Leaves it as it is.
    fn blank(self);

    /// Leaves it as it is.
    fn put(self, number: u64) -> bool;

    /// Leaves it as it is.
    fn lengthen(self, out: &mut Writer<'_>);
}

impl<T> AnyBlank for &Blank<'_, T> {
    #[inline(always)]
    fn blank(self) {}

    fn put(self, _: u64) -> bool {
        false
    }

    fn lengthen(self, _: &mut Writer<'_>) {}
}
