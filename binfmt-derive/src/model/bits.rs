//! What bit fields lie in.

use syn::Type;

use super::{Field, Kind, Numeric, Scalar, array_len, is_byte, scalar};
use crate::attr::{Magic, Word};
use crate::expr::Expr;

/// Most bytes that bit fields lie in.
pub(crate) const MOST: usize = 32;

/// How many bits a bit field has, and the paddings around it.
#[derive(Clone, Copy)]
pub(crate) struct Widths {
    pub(crate) before: u32,
    pub(crate) own: u32,
    pub(crate) after: u32,
}

impl Field<'_> {
    /// The number that a bit field always is, which is no part of the value: `magic` on a field of type `()`.
    pub(crate) fn constant_bits(&self) -> Option<u64> {
        match &self.words.magic.as_ref()?.value {
            Magic::Int(int) => int.base10_parse().ok(),
            Magic::Bytes(_) => None,
        }
    }

    /// The bits of a bit field; what is no number, or too large, is 0.
    pub(crate) fn widths(&self) -> Widths {
        let bits = |word: &Option<Word<Expr>>| match word {
            Some(Word { value: Expr::Int(bits, _), .. }) => u32::try_from(*bits).unwrap_or(0),
            _ => 0,
        };
        let own = self.words.width.as_ref().and_then(|width| width.value.base10_parse().ok());
        Widths {
            before: bits(&self.words.pad_before),
            own: own.unwrap_or(0),
            after: bits(&self.words.pad_after),
        }
    }
}

/// What the fields of a struct of bit fields lie in.
#[derive(Clone, Copy)]
pub(crate) enum Storage {
    Int(Scalar),
    /// So many bytes, in the byte order of the type.
    Bytes(usize),
}

impl Storage {
    /// The storage of that type; `None` for what bit fields cannot lie in.
    pub(crate) fn of(ty: &Type) -> Option<Self> {
        if let Type::Array(array) = ty {
            let len = array_len(array).filter(|len| (1..=MOST).contains(len));
            return len.filter(|_| is_byte(&array.elem)).map(Self::Bytes);
        }
        let number = scalar(ty).filter(|_| matches!(Kind::of(ty), Kind::Scalar(_)))?;
        let plain = number.numeric == Numeric::Unsigned && !number.variable;
        plain.then_some(Self::Int(number))
    }

    /// Its size in bytes.
    pub(crate) fn size(self) -> usize {
        match self {
            Self::Int(number) => number.size.into(),
            Self::Bytes(len) => len,
        }
    }
}
