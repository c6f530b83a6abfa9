//! What methods work on: tensors, numbers, texts, and lists of them.

use binfmt_runtime::{BinFormat, FbRef, FbVec};

#[cfg(feature = "alloc")]
use super::Plan;
use super::kind::{DeviceType, ShapeDynamism, TensorLocation};
use crate::scalar_type::ScalarType;
#[cfg(feature = "alloc")]
use crate::shared::wide;

/// One value of a method.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, spec = "executorch program.fbs, EValue")]
pub struct Slot<'a> {
    /// The value.
    #[doc(alias = "val")]
    #[bin(
        slot = 1,
        union,
        error(
            is_known(value),
            "the value is of a kind that no runtime knows; the method cannot be loaded",
            code = "pte.slot.value.known"
        )
    )]
    pub value: Option<Value<'a>>,
}

/// What a value is.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
#[doc(alias = "KernelTypes")]
pub enum Value<'a> {
    /// `None` in Python.
    #[bin(id = 1)]
    Null,
    /// An integer.
    #[bin(id = 2)]
    Int(Int),
    /// A truth value.
    #[bin(id = 3)]
    Bool(Bool),
    /// A floating-point number.
    #[bin(id = 4)]
    Double(Double),
    /// A tensor.
    #[bin(id = 5)]
    Tensor(FbRef<'a, Tensor<'a>>),
    /// A text.
    #[bin(id = 6)]
    String(Text<'a>),
    /// Integers, by the index of the value that holds each.
    #[bin(id = 7)]
    IntList(IntList<'a>),
    /// Floating-point numbers.
    #[bin(id = 8)]
    DoubleList(DoubleList<'a>),
    /// Truth values.
    #[bin(id = 9)]
    BoolList(BoolList<'a>),
    /// Tensors, by the index of the value that holds each.
    #[bin(id = 10)]
    TensorList(TensorList<'a>),
    /// Tensors by index, and -1 for none.
    #[bin(id = 11)]
    OptionalTensorList(TensorList<'a>),
    /// A kind that this version does not know.
    #[bin(other)]
    Other(u8),
}

/// A tensor: its type, its shape, and where its bytes are or will be.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, rules = super::rules::tensor, spec = "executorch program.fbs, Tensor")]
pub struct Tensor<'a> {
    /// Type of the elements.
    #[bin(
        slot = 0,
        error(
            scalar_type.is_in_schema() && scalar_type.is_known(),
            "there is no such element type in `.pte`; a runtime refuses the method or fails while it runs", code = "pte.tensor.scalar-type.known"
        )
    )]
    pub scalar_type: ScalarType,
    /// Where the first element is, in elements. The runtime of 1.5 refuses to load a method with any
    /// but 0, be it of a constant or in planned memory.
    #[bin(slot = 1, error(storage_offset == 0, "runtimes support no storage offset", code = "pte.tensor.storage-offset.zero"))]
    pub storage_offset: i32,
    /// The shape; the largest one, if it changes.
    #[bin(
        slot = 2,
        error(sizes.is_some(), "the tensor has no sizes; a runtime refuses the method", code = "pte.tensor.sizes.missing"),
        error(none_negative(sizes), "a size is negative; a runtime refuses the program, or reads wild memory", code = "pte.tensor.sizes.negative")
    )]
    pub sizes: Option<FbVec<'a, i32>>,
    /// The dimensions in the order in which they lie in memory, outermost first.
    #[bin(
        slot = 3,
        error(dim_order.is_some(), "the tensor has no dim_order; a runtime refuses the method", code = "pte.tensor.dim-order.missing")
    )]
    pub dim_order: Option<&'a [u8]>,
    /// Whether gradients are kept, for training.
    #[bin(slot = 4)]
    pub requires_grad: bool,
    /// Which constant or which first state it has; 0 for none.
    #[bin(slot = 5)]
    pub data_buffer_idx: u32,
    /// Where it lies in planned memory.
    #[bin(slot = 6)]
    pub allocation_info: Option<Allocation>,
    /// How elements are stored: always 0, strided.
    #[bin(slot = 7)]
    pub layout: i8,
    /// Whether its shape changes.
    #[bin(slot = 8)]
    pub shape_dynamism: ShapeDynamism,
    /// What few tensors have.
    #[bin(slot = 9)]
    pub extra_tensor_info: Option<ExtraInfo<'a>>,
}

/// A place in planned memory.
#[derive(BinFormat, Debug, Clone, PartialEq, Eq)]
#[bin(flatbuffer, spec = "executorch program.fbs, AllocationDetails")]
pub struct Allocation {
    /// Which planned buffer, in `non_const_buffer_sizes`. The runtime of 1.5 takes 1 off and refuses
    /// what that makes of 0.
    #[bin(
        slot = 0,
        error(memory_id != 0, "planned buffer 0 is reserved; a runtime refuses the method", code = "pte.allocation.memory-id.reserved")
    )]
    pub memory_id: u32,
    /// Lower half of the offset in it.
    #[bin(slot = 1)]
    pub memory_offset_low: u32,
    /// Upper half of the offset in it.
    #[bin(slot = 2)]
    pub memory_offset_high: u32,
}

/// What few tensors have.
#[derive(BinFormat, Debug, Clone, PartialEq, Eq)]
#[bin(flatbuffer, spec = "executorch program.fbs, ExtraTensorInfo")]
pub struct ExtraInfo<'a> {
    /// Which of the segments of mutable data holds the first state.
    #[bin(slot = 0)]
    pub mutable_data_segments_idx: u64,
    /// The name in the model; of an external tensor the key in a `.ptd` file.
    #[bin(slot = 1)]
    pub fully_qualified_name: Option<&'a str>,
    /// Where the bytes are. Runtimes ask only whether they are in a `.ptd` file.
    #[bin(
        slot = 2,
        warn(location.is_known(), "there is no such place for a tensor; runtimes take it for one in this file", code = "pte.extra-info.location.known"),
        error(
            location != TensorLocation::External || fully_qualified_name.is_some(),
            "the bytes of the tensor are in a `.ptd` file, and it has no key to look them up", code = "pte.extra-info.location.key"
        )
    )]
    pub location: TensorLocation,
    /// On what kind of device it lies.
    #[bin(slot = 3)]
    pub device_type: DeviceType,
    /// On which of them.
    #[bin(slot = 4)]
    pub device_index: i8,
}

/// An integer.
#[derive(BinFormat, Debug, Clone, PartialEq, Eq)]
#[bin(flatbuffer)]
pub struct Int {
    /// The number.
    #[bin(slot = 0)]
    pub int_val: i64,
}

/// A truth value.
#[derive(BinFormat, Debug, Clone, PartialEq, Eq)]
#[bin(flatbuffer)]
pub struct Bool {
    /// The truth value.
    #[bin(slot = 0)]
    pub bool_val: bool,
}

/// A floating-point number.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct Double {
    /// The number.
    #[bin(slot = 0)]
    pub double_val: f64,
}

/// A text.
#[derive(BinFormat, Debug, Clone, PartialEq, Eq)]
#[bin(flatbuffer)]
pub struct Text<'a> {
    /// The text.
    #[bin(
        slot = 0,
        error(string_val.is_some(), "the text is not stored; a runtime refuses the method", code = "pte.text.string-val.missing")
    )]
    pub string_val: Option<&'a str>,
}

/// Integers, by the index of the value that holds each.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct IntList<'a> {
    /// Indices of values.
    #[bin(
        slot = 0,
        error(items.is_some(), "the list is not stored, not even an empty one; a runtime refuses the method", code = "pte.int-list.items.missing")
    )]
    pub items: Option<FbVec<'a, i64>>,
}

/// Floating-point numbers.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct DoubleList<'a> {
    /// The numbers.
    #[bin(
        slot = 0,
        error(items.is_some(), "the list is not stored, not even an empty one; a runtime refuses the method", code = "pte.double-list.items.missing")
    )]
    pub items: Option<FbVec<'a, f64>>,
}

/// Truth values.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct BoolList<'a> {
    /// The truth values.
    #[bin(
        slot = 0,
        error(items.is_some(), "the list is not stored, not even an empty one; a runtime refuses the method", code = "pte.bool-list.items.missing")
    )]
    pub items: Option<FbVec<'a, bool>>,
}

/// Tensors, by the index of the value that holds each.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct TensorList<'a> {
    /// Indices of values; in a list of optional tensors -1 for none.
    #[bin(
        slot = 0,
        error(items.is_some(), "the list is not stored, not even an empty one; a runtime refuses the method", code = "pte.tensor-list.items.missing")
    )]
    pub items: Option<FbVec<'a, i32>>,
}

#[expect(clippy::ref_option, reason = "rules pass fields by reference")]
fn is_known(value: &Option<Value<'_>>) -> bool {
    !matches!(value, None | Some(Value::Other(_)))
}

#[expect(clippy::ref_option, reason = "rules pass fields by reference")]
fn none_negative(sizes: &Option<FbVec<'_, i32>>) -> bool {
    sizes.iter().flat_map(FbVec::iter).flatten().all(|size| size >= 0)
}

impl<'a> Value<'a> {
    /// What the schema calls it.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Null => "Null",
            Self::Int(_) => "Int",
            Self::Bool(_) => "Bool",
            Self::Double(_) => "Double",
            Self::Tensor(_) => "Tensor",
            Self::String(_) => "String",
            Self::IntList(_) => "IntList",
            Self::DoubleList(_) => "DoubleList",
            Self::BoolList(_) => "BoolList",
            Self::TensorList(_) => "TensorList",
            Self::OptionalTensorList(_) => "OptionalTensorList",
            Self::Other(_) => "Other",
        }
    }

    /// The tensor, if it is one and can be read.
    pub fn tensor(&self) -> Option<Tensor<'a>> {
        match self {
            Self::Tensor(tensor) => tensor.get().ok(),
            _ => None,
        }
    }
}

/// Where the bytes of a tensor are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage<'a> {
    /// Nowhere in the file: they are computed.
    None,
    /// Among the constants.
    Constant {
        /// Which one: [`Edit::set_constant`](super::Edit::set_constant) takes it.
        index: u32,
    },
    /// Among the first states of what a method changes.
    Mutable {
        /// Which list of `mutable_data_segments`.
        list: u64,
        /// Which one of the list.
        index: u32,
    },
    /// In a `.ptd` file.
    External {
        /// The key that it has there.
        key: &'a str,
    },
}

impl<'a> Tensor<'a> {
    /// Where the bytes are.
    pub fn storage(&self) -> Storage<'a> {
        let extra = self.extra_tensor_info.as_ref();
        let location = extra.map_or(TensorLocation::Segment, |extra| extra.location);
        match (location, self.data_buffer_idx, &self.allocation_info) {
            (TensorLocation::External, ..) => {
                let key = extra.and_then(|extra| extra.fully_qualified_name);
                Storage::External { key: key.unwrap_or_default() }
            }
            (_, 0, _) => Storage::None,
            (_, index, None) => Storage::Constant { index },
            (_, index, Some(_)) => {
                let list = extra.map_or(0, |extra| extra.mutable_data_segments_idx);
                Storage::Mutable { list, index }
            }
        }
    }

    /// The sizes, as far as they are not negative.
    pub fn shape(&self) -> impl Iterator<Item = u64> + use<'a> {
        let sizes = self.sizes.unwrap_or_default();
        sizes.iter().flatten().map(|size| u64::try_from(size).unwrap_or(0))
    }

    /// How many bytes of a file are told of it as a tensor of that method: its names and its sizes.
    #[cfg(feature = "alloc")]
    pub(super) fn cost(&self, plan: &Plan<'_>) -> u64 {
        let extra = self.extra_tensor_info.as_ref();
        let names = [plan.name, extra.and_then(|extra| extra.fully_qualified_name)];
        let sizes = self.sizes.map_or(0, |sizes| sizes.count());
        let order = self.dim_order.map_or(0, |order| wide(order.len()));
        let names = names.into_iter().flatten().map(|name| wide(name.len()));
        names.fold(sizes.saturating_add(order), u64::saturating_add)
    }

    /// How many bytes it has; `None` if its type is unknown or there are more than can be counted.
    pub fn byte_len(&self) -> Option<u64> {
        let size = self.scalar_type.size()?;
        let len = self.shape().try_fold(size, u64::checked_mul);
        len.filter(|len| i64::try_from(*len).is_ok())
    }
}

impl Allocation {
    /// The offset in the planned buffer.
    pub fn offset(&self) -> u64 {
        u64::from(self.memory_offset_high) << 32 | u64::from(self.memory_offset_low)
    }
}
