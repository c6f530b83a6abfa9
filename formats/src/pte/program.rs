//! The tables of the program: what the file holds, and its methods.

use binfmt_runtime::{BinFormat, FbRef, FbVec};

use super::call::{Chain, Delegate, Operator};
use super::kind::DeviceType;
use super::value::Slot;

/// The root: methods, and where their data lies.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(
    flatbuffer,
    identifier = b"ET12",
    rules = super::rules::constant_sources,
    spec = "executorch program.fbs, Program"
)]
pub struct Program<'a> {
    /// Version of the schema: 0 in every file.
    #[bin(
        slot = 0,
        error(
            version == 0,
            "the program has schema version {version}; runtimes since 1.5.1 refuse it as newer than theirs", code = "pte.program.version.known"
        )
    )]
    pub version: u32,
    /// The methods.
    #[doc(alias = "execution_plan")]
    #[bin(slot = 1, error(plans.is_some(), "there are no methods; a runtime refuses the program", code = "pte.program.plans.missing"))]
    pub plans: Option<FbVec<'a, Plan<'a>>>,
    /// Constants in the buffer itself, as releases before 0.4 wrote them; the first one stands for
    /// "not constant".
    #[bin(slot = 2)]
    pub constant_buffer: Option<FbVec<'a, Buffer<'a>>>,
    /// Delegate blobs in the buffer itself.
    #[bin(slot = 3)]
    pub backend_delegate_data: Option<FbVec<'a, InlineData<'a>>>,
    /// Where the segments lie.
    #[bin(slot = 4)]
    pub segments: Option<FbVec<'a, DataSegment>>,
    /// The segment with the constants, and where each begins in it.
    #[bin(slot = 5)]
    pub constant_segment: Option<FbRef<'a, Subsegments<'a>>>,
    /// The segments with the first state of tensors that a method changes.
    #[bin(
        slot = 6,
        warn(
            at_most_one(mutable_data_segments),
            "there are several segments of mutable data; the reference reader in Python refuses that",
            code = "pte.program.mutable-data-segments.single"
        )
    )]
    pub mutable_data_segments: Option<FbVec<'a, Subsegments<'a>>>,
    /// Data that delegates look up by a key.
    #[bin(slot = 7)]
    pub named_data: Option<FbVec<'a, NamedData<'a>>>,
}

/// One method; without instructions it returns a constant.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, spec = "executorch program.fbs, ExecutionPlan")]
pub struct Plan<'a> {
    /// What the method is called by.
    #[bin(
        slot = 0,
        error(name.is_some(), "the method has no name; a runtime that lists methods is aborted", code = "pte.plan.name.missing")
    )]
    pub name: Option<&'a str>,
    /// How the arguments and results nest.
    #[bin(slot = 1)]
    pub container_meta_type: Option<ContainerMetadata<'a>>,
    /// Everything that the method works on, by index.
    #[bin(slot = 2, error(values.is_some(), "there are no values; a runtime refuses the method", code = "pte.plan.values.missing"))]
    pub values: Option<FbVec<'a, Slot<'a>>>,
    /// The values that a caller sets.
    #[bin(
        slot = 3,
        error(inputs.is_some(), "there is no list of inputs, not even an empty one; a runtime that is asked for them is aborted", code = "pte.plan.inputs.missing")
    )]
    pub inputs: Option<FbVec<'a, i32>>,
    /// The values that a caller gets.
    #[bin(
        slot = 4,
        error(outputs.is_some(), "there is no list of outputs, not even an empty one; a runtime that is asked for them is aborted", code = "pte.plan.outputs.missing")
    )]
    pub outputs: Option<FbVec<'a, i32>>,
    /// The instructions.
    #[bin(
        slot = 5,
        error(
            some_chain(chains),
            "there are no chains; a runtime refuses the method",
            code = "pte.plan.chains.missing"
        )
    )]
    pub chains: Option<FbVec<'a, Chain<'a>>>,
    /// The kernels that instructions call.
    #[bin(slot = 6)]
    pub operators: FbVec<'a, Operator<'a>>,
    /// The parts that a backend runs.
    #[bin(
        slot = 7,
        error(delegates.is_some(), "there is no list of delegates, not even an empty one; a runtime refuses the method", code = "pte.plan.delegates.missing")
    )]
    pub delegates: Option<FbVec<'a, Delegate<'a>>>,
    /// Sizes of the planned memory; the first is reserved and 0.
    #[bin(
        slot = 8,
        error(non_const_buffer_sizes.is_some(), "there is no list of planned memory; a runtime that is asked for it is aborted", code = "pte.plan.non-const-buffer-sizes.missing")
    )]
    pub non_const_buffer_sizes: Option<FbVec<'a, i64>>,
    /// Where planned memory that is not the host's own lies.
    #[bin(slot = 9)]
    pub non_const_buffer_device: FbVec<'a, BufferDevice>,
}

/// Where a segment lies, from the start of the first one.
#[derive(BinFormat, Debug, Clone, PartialEq, Eq)]
#[bin(flatbuffer, spec = "executorch program.fbs, DataSegment")]
pub struct DataSegment {
    /// First byte, from the segment base of the header.
    #[bin(slot = 0)]
    pub offset: u64,
    /// Length in bytes.
    #[bin(slot = 1)]
    pub size: u64,
}

/// A segment that holds several tensors.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, spec = "executorch program.fbs, SubsegmentOffsets")]
pub struct Subsegments<'a> {
    /// Which segment it is.
    #[bin(slot = 0)]
    pub segment_index: u32,
    /// Where each tensor begins in the segment; the first one stands for none.
    #[bin(slot = 1)]
    pub offsets: FbVec<'a, u64>,
}

/// A segment with a key.
#[derive(BinFormat, Debug, Clone, PartialEq, Eq)]
#[bin(flatbuffer, spec = "executorch program.fbs, NamedData")]
pub struct NamedData<'a> {
    /// The key.
    ///
    /// Without, it is an error even behind all others, where the runtimes of 1.5 do not see it: the
    /// next key that they look for in vain takes them there.
    #[bin(
        slot = 0,
        error(key.is_some(), "the data has no key; a runtime that looks for one behind it refuses the method", code = "pte.named-data.key.missing")
    )]
    pub key: Option<&'a str>,
    /// Which segment it is.
    #[bin(slot = 1)]
    pub segment_index: u32,
}

/// A constant in the buffer itself.
#[derive(BinFormat, Debug, Clone, PartialEq, Eq)]
#[bin(flatbuffer, spec = "executorch program.fbs, Buffer")]
pub struct Buffer<'a> {
    /// Its bytes; see [`bytes`](Self::bytes).
    #[bin(slot = 0, align_before = 16)]
    pub storage: Option<&'a [u8]>,
}

impl<'a> Buffer<'a> {
    /// Its bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.storage.unwrap_or_default()
    }
}

/// The blob of a delegate in the buffer itself.
#[derive(BinFormat, Debug, Clone, PartialEq, Eq)]
#[bin(flatbuffer, spec = "executorch program.fbs, BackendDelegateInlineData")]
pub struct InlineData<'a> {
    /// Its bytes; see [`bytes`](Self::bytes).
    #[bin(
        slot = 0,
        align_before = 16,
        error(data.is_some(), "the blob has no bytes, not even none; a runtime crashes when it hands it to the backend", code = "pte.inline-data.data.missing")
    )]
    pub data: Option<&'a [u8]>,
}

impl<'a> InlineData<'a> {
    /// Its bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.data.unwrap_or_default()
    }
}

/// How arguments and results nest, as `PyTorch` tells it in JSON.
#[derive(BinFormat, Debug, Clone, PartialEq, Eq)]
#[bin(flatbuffer, spec = "executorch program.fbs, ContainerMetadata")]
pub struct ContainerMetadata<'a> {
    /// Of the arguments.
    #[bin(slot = 0)]
    pub encoded_inp_str: Option<&'a str>,
    /// Of the results.
    #[bin(slot = 1)]
    pub encoded_out_str: Option<&'a str>,
}

/// Where one planned buffer lies.
#[derive(BinFormat, Debug, Clone, PartialEq, Eq)]
#[bin(flatbuffer, spec = "executorch program.fbs, NonConstBufferDevice")]
pub struct BufferDevice {
    /// Which one, in `non_const_buffer_sizes`.
    #[bin(slot = 0)]
    pub buffer_idx: i32,
    /// On what kind of device.
    #[bin(slot = 1)]
    pub device_type: DeviceType,
    /// On which of them.
    #[bin(slot = 2)]
    pub device_index: i8,
}

#[expect(clippy::ref_option, reason = "rules pass fields by reference")]
fn at_most_one<T>(list: &Option<FbVec<'_, T>>) -> bool {
    list.as_ref().is_none_or(|list| list.count() <= 1)
}

#[expect(clippy::ref_option, reason = "rules pass fields by reference")]
fn some_chain(chains: &Option<FbVec<'_, Chain<'_>>>) -> bool {
    chains.as_ref().is_some_and(|chains| !chains.is_empty())
}

impl<'a> Program<'a> {
    /// The methods.
    pub fn plans(&self) -> FbVec<'a, Plan<'a>> {
        self.plans.unwrap_or_default()
    }

    /// The methods, by the name that users know them by: the same as [`plans`](Self::plans).
    pub fn methods(&self) -> FbVec<'a, Plan<'a>> {
        self.plans()
    }

    /// The method with that name.
    pub fn method(&self, name: &str) -> Option<Plan<'a>> {
        self.plans().iter().flatten().find(|plan| plan.name == Some(name))
    }

    /// Where the segments lie.
    pub fn segments(&self) -> FbVec<'a, DataSegment> {
        self.segments.unwrap_or_default()
    }

    /// Data with keys.
    pub fn named_data(&self) -> FbVec<'a, NamedData<'a>> {
        self.named_data.unwrap_or_default()
    }

    /// Whether constants lie in a segment, as a runtime decides it.
    pub fn has_constant_segment(&self) -> bool {
        self.constants().is_some_and(|constants| !constants.offsets.is_empty())
    }

    /// Where the constants begin in their segment.
    pub fn constants(&self) -> Option<Subsegments<'a>> {
        self.constant_segment?.get().ok()
    }
}

impl<'a> Plan<'a> {
    /// The values.
    pub fn values(&self) -> FbVec<'a, Slot<'a>> {
        self.values.unwrap_or_default()
    }

    /// The values that a caller sets.
    pub fn inputs(&self) -> FbVec<'a, i32> {
        self.inputs.unwrap_or_default()
    }

    /// The values that a caller gets.
    pub fn outputs(&self) -> FbVec<'a, i32> {
        self.outputs.unwrap_or_default()
    }

    /// The parts that a backend runs.
    pub fn delegates(&self) -> FbVec<'a, Delegate<'a>> {
        self.delegates.unwrap_or_default()
    }

    /// Sizes of the planned memory.
    pub fn planned(&self) -> FbVec<'a, i64> {
        self.non_const_buffer_sizes.unwrap_or_default()
    }

    /// The chains.
    pub fn chains(&self) -> FbVec<'a, Chain<'a>> {
        self.chains.unwrap_or_default()
    }

    /// The value at `index`, unless it is none or damaged.
    pub fn value(&self, index: i64) -> Option<super::value::Value<'a>> {
        self.values().get(u64::try_from(index).ok()?)?.ok()?.value
    }

    /// Whether the method has no instructions, so that its outputs are constants.
    pub fn is_constant(&self) -> bool {
        self.chains().iter().flatten().all(|chain| chain.instructions().is_empty())
    }
}
