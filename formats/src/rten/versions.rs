//! From one version of the file to the other: constants move into the graph, or out of it.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use binfmt_runtime::{BinFormat as _, Error, FbVec, FlatBuffer, FlatBuild as _, Placed};

use super::constants::{stored, unreadable};
use super::graphs::with_constants;
use super::{
    ConstantData, ConstantDataType, ConstantNode, FloatData, Int8Data, Int32Data, Model, Rten,
    Sectioned, TENSOR_ALIGN, UInt8Data,
};
use crate::pieces::Pieces;

/// The most elements of a constant that the converter leaves inside the graph of version 2.
const MOST_INLINE: u64 = 16;

impl<'a> Rten<'a> {
    /// The model in a file of version 1: all constants lie inside the graph.
    ///
    /// The model data is made anew, of all that the schema of the crate declares. A buffer is smaller
    /// than 2 GiB, and constants that shared their bytes no longer do.
    pub fn to_v1(&self) -> Result<Vec<u8>, Error> {
        let model = self.model().root()?;
        let section = self.section();
        let mut inline = |node: ConstantNode<'a>| {
            let (dtype, bytes, _) = stored(&node, section).ok_or_else(|| unreadable(&node))?;
            let data = Some(inside(dtype, bytes).ok_or_else(|| unreadable(&node))?);
            Ok(ConstantNode { data, data_offset: None, ..node })
        };
        with_constants(model.graph.clone(), &mut inline, |graph| {
            Model { graph: graph.clone(), ..model.clone() }.to_buffer_within(self.limit())
        })
    }

    /// The model in a file of version 2, as the converter writes it: constants with more than 16
    /// elements lie in the tensor section, each on a multiple of 64.
    ///
    /// The model data is made anew, of all that the schema of the crate declares. Constants that share
    /// their bytes go on doing so.
    pub fn to_v2(&self) -> Result<Vec<u8>, Error> {
        Ok(self.pieces_of_v2()?.to_vec())
    }

    /// The same file in pieces, of which the large ones lie in the one that was read.
    pub fn pieces_of_v2(&self) -> Result<Pieces<'a>, Error> {
        let model = self.model().root()?;
        let section = self.section();
        let mut tensors =
            Tensors { bytes: Pieces::new(), places: BTreeMap::new(), limit: self.limit() };
        let mut outline = |node: ConstantNode<'a>| {
            let (dtype, bytes, at) = stored(&node, section).ok_or_else(|| unreadable(&node))?;
            let few = node.elements().is_some_and(|count| count <= MOST_INLINE);
            if few && node.data_offset.is_none() {
                return Ok(node);
            }
            let offset = tensors.put(bytes, at).ok_or_else(|| unreadable(&node))?;
            let data_offset = Some(Placed::from(offset));
            Ok(ConstantNode { data: None, dtype: Some(dtype), data_offset, ..node })
        };
        let buffer = with_constants(model.graph.clone(), &mut outline, |graph| {
            Model { graph: graph.clone(), ..model.clone() }.to_buffer_within(self.limit())
        })?;
        // The section is the end of the file, and nothing in front of it says how long it is.
        let head = Sectioned::new(FlatBuffer::parse(&buffer)?, &[]);
        let mut file = Pieces::from(Rten::V2(head).to_vec()?);
        file.append(tensors.bytes);
        Ok(file)
    }

    /// How large model data can become that is made anew: tables to which several others lead are
    /// written several times.
    pub(super) fn limit(&self) -> u64 {
        let parts = [self.model().bytes(), self.tensor_section().unwrap_or_default()];
        let lens = parts.map(|part| u64::try_from(part.len()).unwrap_or(u64::MAX));
        lens.into_iter().fold(4096, u64::saturating_add).saturating_mul(16)
    }
}

/// The elements of a constant as they lie inside the graph.
fn inside(dtype: ConstantDataType, bytes: &[u8]) -> Option<ConstantData<'_>> {
    Some(match dtype {
        ConstantDataType::Float32 => {
            ConstantData::Float(FloatData { elements: FbVec::from_le_bytes(bytes)? })
        }
        ConstantDataType::Int32 => {
            ConstantData::Int32(Int32Data { elements: FbVec::from_le_bytes(bytes)? })
        }
        ConstantDataType::Int8 => {
            ConstantData::Int8(Int8Data { elements: FbVec::from_le_bytes(bytes)? })
        }
        ConstantDataType::UInt8 => {
            ConstantData::UInt8(UInt8Data { elements: FbVec::from_le_bytes(bytes)? })
        }
        ConstantDataType::Other(_) => return None,
    })
}

/// A tensor section that is being written.
struct Tensors<'a> {
    bytes: Pieces<'a>,
    /// Where bytes of the old file have been put, by where they lie there and how many they are.
    places: BTreeMap<(u64, usize), u64>,
    /// How long the section can become.
    limit: u64,
}

impl<'a> Tensors<'a> {
    /// Where the bytes lie that lay at `at` in the old file.
    fn put(&mut self, bytes: &'a [u8], at: u64) -> Option<u64> {
        if let Some(place) = self.places.get(&(at, bytes.len())) {
            return Some(*place);
        }
        let place = self.bytes.len().checked_next_multiple_of(TENSOR_ALIGN)?;
        let len = place.checked_add(u64::try_from(bytes.len()).ok()?)?;
        if len > self.limit {
            return None;
        }
        self.bytes.pad(TENSOR_ALIGN);
        self.bytes.push(bytes);
        self.places.insert((at, bytes.len()), place);
        Some(place)
    }
}
