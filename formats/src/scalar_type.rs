//! The element types of tensors, as `ExecuTorch` numbers them in `.pte` and `.ptd` files.

use binfmt_runtime::BinFormat;

/// What the elements of a tensor are (`ExecuTorch`, `scalar_type.fbs`).
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[bin(flatbuffer)]
#[repr(i8)]
pub enum ScalarType {
    /// Unsigned bytes.
    Byte = 0,
    /// Signed bytes.
    Char = 1,
    /// 16-bit integers.
    Short = 2,
    /// 32-bit integers.
    Int = 3,
    /// 64-bit integers.
    Long = 4,
    /// 16-bit floats.
    Half = 5,
    /// 32-bit floats.
    Float = 6,
    /// 64-bit floats.
    Double = 7,
    /// Two 16-bit floats; not in the schema, though the runtime knows it.
    ComplexHalf = 8,
    /// Two 32-bit floats; not in the schema, though the runtime knows it.
    ComplexFloat = 9,
    /// Two 64-bit floats; not in the schema, though the runtime knows it.
    ComplexDouble = 10,
    /// Truth values, a byte each.
    Bool = 11,
    /// Quantized signed bytes.
    QInt8 = 12,
    /// Quantized unsigned bytes.
    QUInt8 = 13,
    /// Quantized 32-bit integers.
    QInt32 = 14,
    /// The upper halves of 32-bit floats.
    BFloat16 = 15,
    /// Two quantized numbers of 4 bits in a byte.
    QUInt4x2 = 16,
    /// Four quantized numbers of 2 bits in a byte.
    QUInt2x4 = 17,
    /// Bits; not in the schema, though the runtime knows it.
    Bits1x8 = 18,
    /// Pairs of bits; not in the schema, though the runtime knows it.
    Bits2x4 = 19,
    /// Half bytes; not in the schema, though the runtime knows it.
    Bits4x2 = 20,
    /// Bytes; not in the schema, though the runtime knows it.
    Bits8 = 21,
    /// Two bytes of any meaning.
    Bits16 = 22,
    /// 8-bit floats with 5 bits of exponent.
    Float8E5M2 = 23,
    /// 8-bit floats with 4 bits of exponent, finite.
    Float8E4M3FN = 24,
    /// 8-bit floats with 5 bits of exponent, finite, of one zero.
    Float8E5M2FNUZ = 25,
    /// 8-bit floats with 4 bits of exponent, finite, of one zero.
    Float8E4M3FNUZ = 26,
    /// Unsigned 16-bit integers.
    UInt16 = 27,
    /// Unsigned 32-bit integers.
    UInt32 = 28,
    /// Unsigned 64-bit integers.
    UInt64 = 29,
    /// A type that the runtime does not know.
    #[bin(other)]
    Other(i8),
}

impl ScalarType {
    /// Every type that the runtime knows, in the order of their numbers.
    pub const ALL: [Self; 30] = [
        Self::Byte,
        Self::Char,
        Self::Short,
        Self::Int,
        Self::Long,
        Self::Half,
        Self::Float,
        Self::Double,
        Self::ComplexHalf,
        Self::ComplexFloat,
        Self::ComplexDouble,
        Self::Bool,
        Self::QInt8,
        Self::QUInt8,
        Self::QInt32,
        Self::BFloat16,
        Self::QUInt4x2,
        Self::QUInt2x4,
        Self::Bits1x8,
        Self::Bits2x4,
        Self::Bits4x2,
        Self::Bits8,
        Self::Bits16,
        Self::Float8E5M2,
        Self::Float8E4M3FN,
        Self::Float8E5M2FNUZ,
        Self::Float8E4M3FNUZ,
        Self::UInt16,
        Self::UInt32,
        Self::UInt64,
    ];

    /// The type with that [name](Self::name).
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    /// How many bytes an element takes; `None` for a type that the runtime does not know.
    pub const fn size(self) -> Option<u64> {
        self.describe().1
    }

    /// The common name: `f32`, `i64`, `bf16`, `bool`, `qint8`, `f8e5m2`.
    pub const fn name(self) -> &'static str {
        self.describe().0
    }

    /// Whether the runtime knows the type.
    pub const fn is_known(&self) -> bool {
        !matches!(self, Self::Other(_))
    }

    /// Whether the schema names the type, so that its own tools can write it.
    pub const fn is_in_schema(&self) -> bool {
        !matches!(
            self,
            Self::ComplexHalf
                | Self::ComplexFloat
                | Self::ComplexDouble
                | Self::Bits1x8
                | Self::Bits2x4
                | Self::Bits4x2
                | Self::Bits8
        )
    }

    /// Name and size.
    const fn describe(self) -> (&'static str, Option<u64>) {
        match self {
            Self::Byte => ("u8", Some(1)),
            Self::Char => ("i8", Some(1)),
            Self::Short => ("i16", Some(2)),
            Self::Int => ("i32", Some(4)),
            Self::Long => ("i64", Some(8)),
            Self::Half => ("f16", Some(2)),
            Self::Float => ("f32", Some(4)),
            Self::Double => ("f64", Some(8)),
            Self::ComplexHalf => ("c16", Some(4)),
            Self::ComplexFloat => ("c32", Some(8)),
            Self::ComplexDouble => ("c64", Some(16)),
            Self::Bool => ("bool", Some(1)),
            Self::QInt8 => ("qint8", Some(1)),
            Self::QUInt8 => ("quint8", Some(1)),
            Self::QInt32 => ("qint32", Some(4)),
            Self::BFloat16 => ("bf16", Some(2)),
            Self::QUInt4x2 => ("quint4x2", Some(1)),
            Self::QUInt2x4 => ("quint2x4", Some(1)),
            Self::Bits1x8 => ("bits1x8", Some(1)),
            Self::Bits2x4 => ("bits2x4", Some(1)),
            Self::Bits4x2 => ("bits4x2", Some(1)),
            Self::Bits8 => ("bits8", Some(1)),
            Self::Bits16 => ("bits16", Some(2)),
            Self::Float8E5M2 => ("f8e5m2", Some(1)),
            Self::Float8E4M3FN => ("f8e4m3fn", Some(1)),
            Self::Float8E5M2FNUZ => ("f8e5m2fnuz", Some(1)),
            Self::Float8E4M3FNUZ => ("f8e4m3fnuz", Some(1)),
            Self::UInt16 => ("u16", Some(2)),
            Self::UInt32 => ("u32", Some(4)),
            Self::UInt64 => ("u64", Some(8)),
            Self::Other(_) => ("unknown", None),
        }
    }
}
