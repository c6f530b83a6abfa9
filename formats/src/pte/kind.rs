//! Named numbers of the program.

use binfmt_runtime::BinFormat;

/// Where the blob of a delegate is.
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[bin(flatbuffer)]
#[repr(i8)]
pub enum DataLocation {
    /// In the buffer itself.
    Inline = 0,
    /// In a segment.
    Segment = 1,
    /// Nowhere that a runtime knows.
    #[bin(other)]
    Other(i8),
}

/// Where the bytes of a tensor are.
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[bin(flatbuffer)]
#[repr(i8)]
pub enum TensorLocation {
    /// In a segment of this file.
    Segment = 0,
    /// In a `.ptd` file.
    External = 1,
    /// Nowhere that a runtime knows.
    #[bin(other)]
    Other(i8),
}

/// Whether the shape of a tensor changes.
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[bin(flatbuffer)]
#[repr(i8)]
pub enum ShapeDynamism {
    /// It never changes.
    Static = 0,
    /// It changes, up to the sizes that are stored.
    DynamicBound = 1,
    /// It changes without a bound.
    DynamicUnbound = 2,
    /// Something that a runtime does not know.
    #[bin(other)]
    Other(i8),
}

/// A kind of device.
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[bin(flatbuffer)]
#[repr(i8)]
pub enum DeviceType {
    /// The host.
    Cpu = 0,
    /// A GPU.
    Cuda = 1,
    /// Another one.
    #[bin(other)]
    Other(i8),
}

impl DataLocation {
    /// Whether a runtime knows it.
    pub const fn is_known(self) -> bool {
        !matches!(self, Self::Other(_))
    }
}

impl TensorLocation {
    /// Whether a runtime knows it.
    pub const fn is_known(self) -> bool {
        !matches!(self, Self::Other(_))
    }
}
