//! What the standard library has for numbers, for those in an encoding: as the numbers are compared.

use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};

use super::{Coded, Encoding};

impl<E: Encoding, T: Copy> Clone for Coded<E, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E: Encoding, T: Copy> Copy for Coded<E, T> {}

impl<E: Encoding, T: Default> Default for Coded<E, T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<E: Encoding, T: PartialEq> PartialEq for Coded<E, T> {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl<E: Encoding, T: Eq> Eq for Coded<E, T> {}

impl<E: Encoding, T: PartialOrd> PartialOrd for Coded<E, T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.number.partial_cmp(&other.number)
    }
}

impl<E: Encoding, T: Ord> Ord for Coded<E, T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.number.cmp(&other.number)
    }
}

impl<E: Encoding, T: Hash> Hash for Coded<E, T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.number.hash(state);
    }
}

impl<E: Encoding, T: fmt::Debug> fmt::Debug for Coded<E, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number.fmt(f)
    }
}

macro_rules! shown {
    ($($form:ident)*) => {
        $(impl<E: Encoding, T: fmt::$form> fmt::$form for Coded<E, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.number.fmt(f)
            }
        })*
    };
}

shown!(Display LowerHex UpperHex Binary Octal);
