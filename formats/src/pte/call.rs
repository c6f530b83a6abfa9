//! What methods do: kernels, delegates and instructions.

use binfmt_runtime::{BinFormat, FbRef, FbVec};

use super::kind::DataLocation;

/// A kernel, by name.
#[derive(BinFormat, Debug, Clone, PartialEq, Eq)]
#[bin(flatbuffer, spec = "executorch program.fbs, Operator")]
pub struct Operator<'a> {
    /// Such as `aten::add`.
    #[bin(
        slot = 0,
        error(
            is_named(name),
            "the operator has no name; a runtime refuses the method",
            code = "pte.operator.name.missing"
        )
    )]
    pub name: Option<&'a str>,
    /// Such as `out`; may be empty.
    #[bin(slot = 1)]
    pub overload: Option<&'a str>,
}

/// A part of the method that a backend runs.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, spec = "executorch program.fbs, BackendDelegate")]
pub struct Delegate<'a> {
    /// Which backend, such as `XnnpackBackend`.
    #[bin(slot = 0, error(id.is_some(), "the delegate names no backend; a runtime refuses the method", code = "pte.delegate.id.missing"))]
    pub id: Option<&'a str>,
    /// Where the blob for the backend is.
    #[bin(
        slot = 1,
        error(processed.is_some(), "the delegate has no blob; a runtime refuses the method", code = "pte.delegate.processed.missing")
    )]
    pub processed: Option<FbRef<'a, DataReference>>,
    /// What the backend was told when the blob was made.
    #[bin(slot = 2)]
    pub compile_specs: FbVec<'a, CompileSpec<'a>>,
}

/// Where the blob of a delegate is.
#[derive(BinFormat, Debug, Clone, PartialEq, Eq)]
#[bin(flatbuffer, spec = "executorch program.fbs, BackendDelegateDataReference")]
pub struct DataReference {
    /// In the buffer itself or in a segment.
    #[bin(
        slot = 0,
        error(location.is_known(), "there is no such place for a blob; a runtime refuses the method", code = "pte.data-reference.location.known")
    )]
    pub location: DataLocation,
    /// Index among the blobs of the buffer or among the segments.
    #[bin(slot = 1)]
    pub index: u32,
}

/// One option that a backend was given.
#[derive(BinFormat, Debug, Clone, PartialEq, Eq)]
#[bin(flatbuffer, spec = "executorch program.fbs, CompileSpec")]
pub struct CompileSpec<'a> {
    /// Name of the option.
    #[bin(slot = 0)]
    pub key: Option<&'a str>,
    /// Its value, as the backend defines it.
    #[bin(
        slot = 1,
        error(value.is_some(), "the option has no value, not even an empty one; a runtime crashes when it hands it to the backend", code = "pte.compile-spec.value.missing")
    )]
    pub value: Option<&'a [u8]>,
}

/// Instructions that run one after the other.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, spec = "executorch program.fbs, Chain")]
pub struct Chain<'a> {
    /// The values that it reads; no runtime looks at them.
    #[bin(slot = 0)]
    pub inputs: FbVec<'a, i32>,
    /// The values that it writes; no runtime looks at them.
    #[bin(slot = 1)]
    pub outputs: FbVec<'a, i32>,
    /// The instructions.
    #[bin(
        slot = 2,
        error(instructions.is_some(), "there is no list of instructions, not even an empty one; a runtime refuses the method", code = "pte.chain.instructions.missing")
    )]
    pub instructions: Option<FbVec<'a, Instruction<'a>>>,
    /// Where each instruction comes from in the model, if that was kept.
    #[bin(slot = 3)]
    pub stacktrace: Option<FbVec<'a, FrameList<'a>>>,
}

/// One instruction.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, spec = "executorch program.fbs, Instruction")]
pub struct Instruction<'a> {
    /// What is done.
    #[doc(alias = "instr_args")]
    #[bin(
        slot = 1,
        union,
        error(
            is_known(call),
            "no runtime knows this instruction; the method cannot be loaded",
            code = "pte.instruction.call.known"
        )
    )]
    pub call: Option<Call<'a>>,
}

/// What an instruction does.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
#[doc(alias = "InstructionArguments")]
pub enum Call<'a> {
    /// Calls a kernel.
    #[bin(id = 1)]
    Kernel(FbRef<'a, KernelCall<'a>>),
    /// Calls a delegate.
    #[bin(id = 2)]
    Delegate(FbRef<'a, DelegateCall<'a>>),
    /// Moves a value.
    #[bin(id = 3)]
    Move(FbRef<'a, MoveCall>),
    /// Jumps if a value is false.
    #[bin(id = 4)]
    JumpFalse(FbRef<'a, JumpFalseCall>),
    /// Gives back the memory of a value.
    #[bin(id = 5)]
    Free(FbRef<'a, FreeCall>),
    /// An instruction that this version does not know.
    #[bin(other)]
    Other(u8),
}

/// Calls a kernel.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, spec = "executorch program.fbs, KernelCall")]
pub struct KernelCall<'a> {
    /// Which operator.
    #[bin(slot = 0)]
    pub op_index: i32,
    /// Indices of values.
    #[bin(
        slot = 1,
        error(args.is_some(), "the call has no list of arguments, not even an empty one; a runtime refuses the method", code = "pte.kernel-call.args.missing")
    )]
    pub args: Option<FbVec<'a, i32>>,
}

/// Calls a delegate.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, spec = "executorch program.fbs, DelegateCall")]
pub struct DelegateCall<'a> {
    /// Which delegate.
    #[bin(slot = 0)]
    pub delegate_index: i32,
    /// Indices of values.
    #[bin(
        slot = 1,
        error(args.is_some(), "the call has no list of arguments, not even an empty one; a runtime refuses the method", code = "pte.delegate-call.args.missing")
    )]
    pub args: Option<FbVec<'a, i32>>,
}

/// Moves a value.
#[derive(BinFormat, Debug, Clone, PartialEq, Eq)]
#[bin(flatbuffer, spec = "executorch program.fbs, MoveCall")]
pub struct MoveCall {
    /// The value that is read.
    #[bin(slot = 0)]
    pub move_from: i32,
    /// The value that is set.
    #[bin(slot = 1)]
    pub move_to: i32,
}

/// Jumps if a value is false.
#[derive(BinFormat, Debug, Clone, PartialEq, Eq)]
#[bin(flatbuffer, spec = "executorch program.fbs, JumpFalseCall")]
pub struct JumpFalseCall {
    /// The value that is looked at.
    #[bin(slot = 0)]
    pub cond_value_index: i32,
    /// Index of the instruction to go on with.
    #[bin(slot = 1)]
    pub destination_instruction: i32,
}

/// Gives back the memory of a value.
#[derive(BinFormat, Debug, Clone, PartialEq, Eq)]
#[bin(flatbuffer, spec = "executorch program.fbs, FreeCall")]
pub struct FreeCall {
    /// Whose memory.
    #[bin(slot = 0)]
    pub value_index: i32,
}

/// Where an instruction comes from.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, spec = "executorch program.fbs, FrameList")]
pub struct FrameList<'a> {
    /// The calls that led there.
    #[bin(slot = 0)]
    pub items: FbVec<'a, Frame<'a>>,
}

/// A line of the model's source.
#[derive(BinFormat, Debug, Clone, PartialEq, Eq)]
#[bin(flatbuffer, spec = "executorch program.fbs, Frame")]
pub struct Frame<'a> {
    /// The file.
    #[bin(slot = 0)]
    pub filename: Option<&'a str>,
    /// The line.
    #[bin(slot = 1)]
    pub lineno: i32,
    /// The function.
    #[bin(slot = 2)]
    pub name: Option<&'a str>,
    /// The text of the line.
    #[bin(slot = 3)]
    pub context: Option<&'a str>,
}

#[expect(clippy::ref_option_ref, reason = "rules pass fields by reference")]
fn is_named(name: &Option<&str>) -> bool {
    name.is_some_and(|name| !name.is_empty())
}

#[expect(clippy::ref_option, reason = "rules pass fields by reference")]
fn is_known(call: &Option<Call<'_>>) -> bool {
    !matches!(call, None | Some(Call::Other(_)))
}

impl<'a> Chain<'a> {
    /// The instructions.
    pub fn instructions(&self) -> FbVec<'a, Instruction<'a>> {
        self.instructions.unwrap_or_default()
    }
}

impl Call<'_> {
    /// What the schema calls it.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Kernel(_) => "KernelCall",
            Self::Delegate(_) => "DelegateCall",
            Self::Move(_) => "MoveCall",
            Self::JumpFalse(_) => "JumpFalseCall",
            Self::Free(_) => "FreeCall",
            Self::Other(_) => "Other",
        }
    }
}
