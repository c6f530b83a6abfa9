//! The constants of a graph, and where their bytes lie.

use alloc::vec::Vec;

use binfmt_runtime::Error;

use super::graph::{ConstantData, Quantization, TensorValue, XValue};
use super::{Datatype, Graph, Xnnpack};
use crate::scalar_type::ScalarType;

/// A constant of a graph.
#[derive(Debug, Clone, PartialEq)]
pub struct Constant<'a> {
    /// Which value of the graph it is.
    pub value: u64,
    /// What nodes call it.
    pub id: u32,
    /// What its elements are.
    pub datatype: Datatype,
    /// Size in every dimension. The elements lie row by row.
    pub shape: Vec<u64>,
    /// How many bytes its type and its shape make, if that is known.
    pub byte_len: Option<u64>,
    /// Where its bytes are.
    pub place: Place<'a>,
    /// What its numbers mean, if they are quantized.
    pub quantization: Option<Quantization<'a>>,
    /// The scales of quantized numbers, if there are several.
    pub scales: Option<Scales<'a>>,
}

/// The scales of quantized numbers, one behind the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scales<'a> {
    /// What they are.
    pub scalar_type: ScalarType,
    /// How many there are.
    pub count: u64,
    /// Where their bytes are.
    pub place: Place<'a>,
}

/// Where the bytes of a constant are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place<'a> {
    /// In the payload; `None` if they should be and are not.
    Payload {
        /// The bytes.
        bytes: Option<&'a [u8]>,
    },
    /// Among the named data of the program, or in a `.ptd`.
    Named {
        /// The key that they have there.
        key: &'a str,
        /// How many bytes the graph expects.
        size: u64,
    },
}

impl<'a> Xnnpack<'a> {
    /// Every value that is a constant, in the order of the values.
    pub fn constants(&self) -> Result<Vec<Constant<'a>>, Error> {
        let graph = self.graph().root()?;
        let mut all = Vec::new();
        for (value, index) in graph.values.iter().zip(0_u64..) {
            all.extend(self.constant(&graph, &value?, index));
        }
        Ok(all)
    }

    fn constant(&self, graph: &Graph<'a>, value: &XValue<'a>, index: u64) -> Option<Constant<'a>> {
        let tensor = value.tensor()?;
        Some(Constant {
            value: index,
            id: tensor.id_out,
            datatype: tensor.datatype,
            shape: tensor.dims.iter().flatten().map(u64::from).collect(),
            byte_len: tensor.byte_len(),
            place: self.place(graph, tensor)?,
            quantization: value.quantization().cloned(),
            scales: value.quantization().and_then(|quantization| self.scales(graph, quantization)),
        })
    }

    /// The scales of quantized numbers: in the graph, or a constant of their own.
    fn scales(&self, graph: &Graph<'a>, quantization: &Quantization<'a>) -> Option<Scales<'a>> {
        let (inside, scalar_type, index, count) = match quantization {
            Quantization::PerChannel(scale) => {
                (scale.scale, ScalarType::Float, scale.scale_buffer_idx, scale.num_scales)
            }
            Quantization::PerGroup(scale) => {
                (scale.scale, ScalarType::BFloat16, scale.scale_buffer_idx, scale.num_scales)
            }
            Quantization::PerTensor(_) | Quantization::PerToken(_) | Quantization::Other(_) => {
                return None;
            }
        };
        if index > 0 {
            let place = self.stored(&graph.constants.get(index.into())?.ok()?);
            return Some(Scales { scalar_type, count: count.into(), place });
        }
        if let Quantization::PerGroup(scale) = quantization
            && !scale.scale_bf16.is_empty()
        {
            let (count, bytes) = (scale.scale_bf16.count(), scale.scale_bf16.bytes());
            return Some(Scales { scalar_type, count, place: Place::Payload { bytes } });
        }
        let place = Place::Payload { bytes: inside.bytes() };
        let scalar_type = ScalarType::Float;
        (!inside.is_empty()).then_some(Scales { scalar_type, count: inside.count(), place })
    }

    /// Where the bytes of a tensor are, if it is a constant.
    pub fn place(&self, graph: &Graph<'a>, tensor: &TensorValue<'a>) -> Option<Place<'a>> {
        let index = *tensor.constant_buffer_idx;
        if index == 0 {
            return None;
        }
        let constant = graph.constants.get(index.into()).and_then(Result::ok);
        Some(match constant {
            Some(constant) => self.stored(&constant),
            None => {
                let buffer = graph.constant_buffer.get(index.into()).and_then(Result::ok);
                let bytes = buffer.and_then(|buffer| buffer.storage);
                let len = tensor.byte_len().and_then(|len| usize::try_from(len).ok());
                Place::Payload { bytes: bytes.and_then(|bytes| bytes.get(..len?)) }
            }
        })
    }

    fn stored(&self, constant: &ConstantData<'a>) -> Place<'a> {
        if let Some(key) = constant.named_key.filter(|key| !key.is_empty()) {
            return Place::Named { key, size: constant.size };
        }
        let part = || {
            let start = usize::try_from(constant.offset).ok()?;
            let len = usize::try_from(constant.size).ok()?;
            self.constant_data().get(start..)?.get(..len)
        };
        Place::Payload { bytes: part() }
    }
}

impl Datatype {
    /// The same type as tensors of programs call it, if they have it and elements are whole bytes.
    /// Quantized numbers are the integers that they are stored as.
    pub const fn scalar_type(self) -> Option<ScalarType> {
        match self {
            Self::Fp32 => Some(ScalarType::Float),
            Self::Fp16 => Some(ScalarType::Half),
            Self::Bf16 => Some(ScalarType::BFloat16),
            Self::Qint8 | Self::Qcint8 | Self::Qdint8 => Some(ScalarType::Char),
            Self::Quint8 => Some(ScalarType::Byte),
            Self::Int32 | Self::Qint32 | Self::Qcint32 => Some(ScalarType::Int),
            Self::Invalid
            | Self::Qcint4
            | Self::Qbint4
            | Self::Qpint8
            | Self::Pfp32
            | Self::Other(_) => None,
        }
    }
}
