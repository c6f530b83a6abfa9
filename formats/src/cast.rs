//! Elements of one type as elements of another.

use alloc::borrow::Cow;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;

use half::{bf16, f16};
use num_traits::ToPrimitive as _;

use crate::scalar_type::ScalarType;
use crate::shared::wide;

/// Why elements cannot become others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CastError {
    /// No element of the one type is taken for one of the other.
    Types {
        /// The type of the elements.
        from: &'static str,
        /// The type that they should have.
        to: &'static str,
    },
    /// An element is no number of the other type: it is too large, or no integer.
    Value {
        /// Which one.
        index: u64,
        /// What it is.
        value: String,
        /// The type that it should have.
        to: &'static str,
    },
    /// The bytes are no whole number of elements.
    Len(u64),
}

impl fmt::Display for CastError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Types { from, to } => write!(f, "no {from} is cast to {to}"),
            Self::Value { index, value, to } => {
                write!(f, "element {index} is {value}, which is no {to}")
            }
            Self::Len(len) => write!(f, "{len} bytes are no whole number of elements"),
        }
    }
}

impl core::error::Error for CastError {}

/// An element.
#[derive(Debug, Clone, Copy)]
enum Number {
    Int(i128),
    Float(f64),
}

/// Elements as elements of another type.
///
/// Floats are rounded to the nearest; one that would become infinite is an error. What becomes an
/// integer or a truth value must be one already, and fit. Quantized numbers are not cast, for what they
/// mean is not in them.
///
/// ```
/// use binfmt_formats::cast::cast;
/// use binfmt_formats::scalar_type::ScalarType;
///
/// let one = 1.0_f32.to_le_bytes();
/// assert_eq!(*cast(ScalarType::Float, ScalarType::BFloat16, &one)?, [0x80, 0x3f]);
/// assert!(cast(ScalarType::Float, ScalarType::Char, &0.5_f32.to_le_bytes()).is_err());
/// # Ok::<(), binfmt_formats::cast::CastError>(())
/// ```
pub fn cast(from: ScalarType, to: ScalarType, bytes: &[u8]) -> Result<Cow<'_, [u8]>, CastError> {
    if from == to {
        return Ok(Cow::Borrowed(bytes));
    }
    let types = || CastError::Types { from: from.name(), to: to.name() };
    let (Some(read), Some(write)) = (reader(from), writer(to)) else { return Err(types()) };
    let size = from.size().and_then(|size| usize::try_from(size).ok()).ok_or_else(types)?;
    let elements = bytes.chunks_exact(size);
    if !elements.remainder().is_empty() {
        return Err(CastError::Len(wide(bytes.len())));
    }
    let mut out = Vec::new();
    for (element, index) in elements.zip(0_u64..) {
        let number = read(element).ok_or_else(types)?;
        let refused = || CastError::Value { index, value: number.shown(), to: to.name() };
        write(number, &mut out).ok_or_else(refused)?;
    }
    Ok(Cow::Owned(out))
}

/// The elements as floats of 64 bits, to compare them; `None` for types without such a meaning.
pub fn floats(of: ScalarType, bytes: &[u8]) -> Option<impl Iterator<Item = f64> + '_> {
    let read = reader(of)?;
    let size = usize::try_from(of.size()?).ok()?;
    Some(bytes.chunks_exact(size).filter_map(move |element| Some(read(element)?.to_f64())))
}

type Read = fn(&[u8]) -> Option<Number>;
type Write = fn(Number, &mut Vec<u8>) -> Option<()>;

fn array<const N: usize>(bytes: &[u8]) -> Option<[u8; N]> {
    bytes.try_into().ok()
}

fn reader(ty: ScalarType) -> Option<Read> {
    Some(match ty {
        ScalarType::Bool | ScalarType::Byte => {
            |it| Some(Number::Int(u8::from_le_bytes(array(it)?).into()))
        }
        ScalarType::Char => |it| Some(Number::Int(i8::from_le_bytes(array(it)?).into())),
        ScalarType::Short => |it| Some(Number::Int(i16::from_le_bytes(array(it)?).into())),
        ScalarType::Int => |it| Some(Number::Int(i32::from_le_bytes(array(it)?).into())),
        ScalarType::Long => |it| Some(Number::Int(i64::from_le_bytes(array(it)?).into())),
        ScalarType::UInt16 => |it| Some(Number::Int(u16::from_le_bytes(array(it)?).into())),
        ScalarType::UInt32 => |it| Some(Number::Int(u32::from_le_bytes(array(it)?).into())),
        ScalarType::UInt64 => |it| Some(Number::Int(u64::from_le_bytes(array(it)?).into())),
        ScalarType::Half => |it| Some(Number::Float(f16::from_le_bytes(array(it)?).to_f64())),
        ScalarType::BFloat16 => |it| Some(Number::Float(bf16::from_le_bytes(array(it)?).to_f64())),
        ScalarType::Float => |it| Some(Number::Float(f32::from_le_bytes(array(it)?).into())),
        ScalarType::Double => |it| Some(Number::Float(f64::from_le_bytes(array(it)?))),
        _ => return None,
    })
}

fn writer(ty: ScalarType) -> Option<Write> {
    Some(match ty {
        ScalarType::Bool => |it, out| {
            let bit = u8::try_from(it.to_int()?).ok().filter(|bit| *bit < 2)?;
            put(bit.to_le_bytes(), out)
        },
        ScalarType::Byte => |it, out| put(u8::try_from(it.to_int()?).ok()?.to_le_bytes(), out),
        ScalarType::Char => |it, out| put(i8::try_from(it.to_int()?).ok()?.to_le_bytes(), out),
        ScalarType::Short => |it, out| put(i16::try_from(it.to_int()?).ok()?.to_le_bytes(), out),
        ScalarType::Int => |it, out| put(i32::try_from(it.to_int()?).ok()?.to_le_bytes(), out),
        ScalarType::Long => |it, out| put(i64::try_from(it.to_int()?).ok()?.to_le_bytes(), out),
        ScalarType::UInt16 => |it, out| put(u16::try_from(it.to_int()?).ok()?.to_le_bytes(), out),
        ScalarType::UInt32 => |it, out| put(u32::try_from(it.to_int()?).ok()?.to_le_bytes(), out),
        ScalarType::UInt64 => |it, out| put(u64::try_from(it.to_int()?).ok()?.to_le_bytes(), out),
        ScalarType::Half => |it, out| {
            let half = f16::from_f64(it.to_f64());
            put(it.unless_lost(half.is_finite(), half.to_le_bytes())?, out)
        },
        ScalarType::BFloat16 => |it, out| {
            let half = bf16::from_f64(it.to_f64());
            put(it.unless_lost(half.is_finite(), half.to_le_bytes())?, out)
        },
        ScalarType::Float => |it, out| {
            let float = match it {
                Number::Int(int) => int.to_f32()?,
                Number::Float(float) => float.to_f32()?,
            };
            put(it.unless_lost(float.is_finite(), float.to_le_bytes())?, out)
        },
        ScalarType::Double => |it, out| put(it.to_f64().to_le_bytes(), out),
        _ => return None,
    })
}

#[expect(clippy::unnecessary_wraps, reason = "an element that is not written is none")]
fn put<const N: usize>(bytes: [u8; N], out: &mut Vec<u8>) -> Option<()> {
    out.extend_from_slice(&bytes);
    Some(())
}

impl Number {
    fn to_f64(self) -> f64 {
        match self {
            Self::Int(int) => int.to_f64().unwrap_or(f64::NAN),
            Self::Float(float) => float,
        }
    }

    /// The integer that it is.
    fn to_int(self) -> Option<i128> {
        match self {
            Self::Int(int) => Some(int),
            Self::Float(float) => {
                let int = float.to_i128()?;
                (int.to_f64()?.to_bits() == float.to_bits() || (int == 0 && float == 0.0))
                    .then_some(int)
            }
        }
    }

    /// What it has become, unless that is infinite and it was not.
    fn unless_lost<const N: usize>(self, is_finite: bool, bytes: [u8; N]) -> Option<[u8; N]> {
        (is_finite || !self.to_f64().is_finite()).then_some(bytes)
    }

    fn shown(self) -> String {
        match self {
            Self::Int(int) => int.to_string(),
            Self::Float(float) => float.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f32s(all: &[f32]) -> Vec<u8> {
        all.iter().flat_map(|it| it.to_le_bytes()).collect()
    }

    #[test]
    fn floats_are_rounded_to_the_nearest() {
        let cases = [
            (1.0_f32, [0x00, 0x3c], [0x80, 0x3f]),
            (-2.5, [0x00, 0xc1], [0x20, 0xc0]),
            // Halfway between two of either type: to the even one.
            (1.000_488_3, [0x00, 0x3c], [0x80, 0x3f]),
            (1.003_906_3, [0x04, 0x3c], [0x80, 0x3f]),
            (f32::INFINITY, [0x00, 0x7c], [0x80, 0x7f]),
        ];
        for (float, half, brain) in cases {
            let bytes = f32s(&[float]);
            assert_eq!(*cast(ScalarType::Float, ScalarType::Half, &bytes).unwrap(), half);
            assert_eq!(*cast(ScalarType::Float, ScalarType::BFloat16, &bytes).unwrap(), brain);
            let wider = cast(ScalarType::Float, ScalarType::Double, &bytes).unwrap();
            assert_eq!(*cast(ScalarType::Double, ScalarType::Float, &wider).unwrap(), bytes);
        }
        let nan = f32s(&[f32::NAN]);
        let nan = cast(ScalarType::Float, ScalarType::Half, &nan).unwrap();
        assert!(f16::from_le_bytes([nan[0], nan[1]]).is_nan());
    }

    #[test]
    fn what_the_other_type_cannot_hold_is_refused() {
        let value = |index, value: &str, to| CastError::Value { index, value: value.into(), to };
        let cases = [
            (ScalarType::Float, ScalarType::Half, f32s(&[0.0, 1e6]), value(1, "1000000", "f16")),
            (ScalarType::Float, ScalarType::Char, f32s(&[1.0, 0.5]), value(1, "0.5", "i8")),
            (ScalarType::Float, ScalarType::Char, f32s(&[128.0]), value(0, "128", "i8")),
            (ScalarType::Float, ScalarType::Long, f32s(&[f32::NAN]), value(0, "NaN", "i64")),
            (ScalarType::Char, ScalarType::Byte, [0xff].into(), value(0, "-1", "u8")),
            (ScalarType::Byte, ScalarType::Bool, [2].into(), value(0, "2", "bool")),
            (
                ScalarType::QInt8,
                ScalarType::Float,
                [1].into(),
                CastError::Types { from: "qint8", to: "f32" },
            ),
            (ScalarType::Float, ScalarType::Double, [1, 2, 3].into(), CastError::Len(3)),
        ];
        for (from, to, bytes, expected) in cases {
            assert_eq!(cast(from, to, &bytes).unwrap_err(), expected);
        }
    }

    #[test]
    fn integers_become_others_that_are_equal() {
        let bytes = (-5_i64).to_le_bytes();
        assert_eq!(*cast(ScalarType::Long, ScalarType::Char, &bytes).unwrap(), [0xfb]);
        assert_eq!(*cast(ScalarType::Long, ScalarType::Float, &bytes).unwrap(), f32s(&[-5.0])[..]);
        let zero = f32s(&[-0.0]);
        assert_eq!(*cast(ScalarType::Float, ScalarType::Char, &zero).unwrap(), [0]);
        let most = u64::MAX.to_le_bytes();
        let double = cast(ScalarType::UInt64, ScalarType::Double, &most).unwrap();
        assert_eq!(*double, 18_446_744_073_709_551_616.0_f64.to_le_bytes());
    }
}
