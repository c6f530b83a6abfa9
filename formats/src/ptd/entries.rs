//! What the names of a file stand for, in either schema.

use binfmt_runtime::{Error, FbVec};

use super::{DataSegment, Ptd, Tables, TensorLayout, part};
use crate::shared::{too_many, wide};

/// What a name stands for.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry<'a> {
    /// The name.
    pub key: &'a str,
    /// Which segment it names, or lies in.
    pub segment_index: u32,
    /// The type and the sizes, if it is a tensor.
    pub layout: Option<TensorLayout<'a>>,
    /// The bytes of a blob, or of the elements; `None` where the file does not have them, as a
    /// validator says.
    pub bytes: Option<&'a [u8]>,
    /// Where they begin in the file.
    pub offset: u64,
}

/// All names of a file, read when they are asked for.
///
/// In the schema of 0.6 these are the tensors, then the blobs.
#[derive(Debug, Clone)]
pub struct Entries<'a> {
    tables: Tables<'a>,
    data: &'a [u8],
    base: u64,
    next: u64,
    /// How many more bytes may be told of names and sizes: as many as the tables have, where no two
    /// names share theirs.
    left: u64,
}

impl Entry<'_> {
    /// How many bytes of a file the entry takes at least, with its name and its sizes.
    pub(super) fn cost(key: &str, layout: Option<&TensorLayout<'_>>) -> u64 {
        let dims = layout.map_or(0, |it| it.sizes.count().saturating_add(wide(it.dim_order.len())));
        wide(key.len()).saturating_add(dims).saturating_add(1)
    }
}

impl<'a> Ptd<'a> {
    /// All names, in file order; a broken one is an error of its own.
    pub fn entries(&self) -> Result<Entries<'a>, Error> {
        let (data, base) = (self.data, self.segment_base_offset);
        let left = wide(self.tables.bytes().len());
        Ok(Entries { tables: self.tables.root()?, data, base, next: 0, left })
    }
}

impl<'a> Entries<'a> {
    /// How many there are.
    pub fn count(&self) -> u64 {
        match &self.tables {
            Tables::FlatTensor(root) => root.named_data.count(),
            Tables::FlatTensor06(root) => {
                root.tensors.count().saturating_add(root.named_data.count())
            }
        }
    }

    /// The one at `index`, in constant time.
    pub fn get(&self, index: u64) -> Option<Result<Entry<'a>, Error>> {
        match &self.tables {
            Tables::FlatTensor(root) => Some(root.named_data.get(index)?.map(|named| {
                let (key, segment) = (*named.key, *named.segment_index);
                let layout = named.tensor_layout.map(|layout| (*layout).clone());
                self.entry(key, segment, root.segments, layout, None)
            })),
            Tables::FlatTensor06(root) => match index.checked_sub(root.tensors.count()) {
                None => Some(root.tensors.get(index)?.map(|tensor| {
                    let (key, segment) = (*tensor.name, *tensor.segment_index);
                    let layout = Some(tensor.layout());
                    self.entry(key, segment, root.segments, layout, Some(*tensor.offset))
                })),
                Some(index) => Some(root.named_data.get(index)?.map(|named| {
                    self.entry(*named.key, *named.segment_index, root.segments, None, None)
                })),
            },
        }
    }

    /// A name with its bytes: a whole segment, but of a tensor no more than it has elements; those
    /// at `inside` of a segment, if the schema says so.
    fn entry(
        &self,
        key: &'a str,
        segment_index: u32,
        segments: FbVec<'a, DataSegment>,
        layout: Option<TensorLayout<'a>>,
        inside: Option<u64>,
    ) -> Entry<'a> {
        let segment = segments.get(u64::from(segment_index)).and_then(Result::ok);
        let start = segment.as_ref().map_or(0, |segment| *segment.offset);
        let whole = segment.and_then(|segment| part(self.data, *segment.offset, *segment.size));
        let len = layout.as_ref().map(TensorLayout::byte_len);
        let bytes = whole.and_then(|whole| {
            let offset = inside.unwrap_or(0);
            match len {
                Some(len) => part(whole, offset, len?),
                None => Some(whole),
            }
        });
        let offset = self.base.saturating_add(start).saturating_add(inside.unwrap_or(0));
        Entry { key, segment_index, layout, bytes, offset }
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = Result<Entry<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let item = self.get(self.next)?;
        self.next = self.next.saturating_add(1);
        let cost = |entry: &Entry<'_>| Entry::cost(entry.key, entry.layout.as_ref());
        let Some(left) = self.left.checked_sub(item.as_ref().map_or(1, cost)) else {
            self.next = u64::MAX;
            return Some(Err(too_many("names share their bytes")));
        };
        self.left = left;
        Some(item)
    }
}
