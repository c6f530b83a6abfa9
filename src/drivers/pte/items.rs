//! What is in a program: segments, named data, methods with their delegates and tensors.

use std::borrow::Cow;

use binfmt_formats::pte::call::Delegate;
use binfmt_formats::pte::kind::DataLocation;
use binfmt_formats::pte::{Plan, Program, Pte, Storage, Tensor, Value as Kernel, value_name};
use binfmt_runtime::{Error, FbRef};
use serde_json::{Value, json};

use super::{constants, methods};
use binfmt_tool::item::{Item, Payload, offset_in};
use binfmt_tool::json::{number, wide};

/// How many values are looked at for one byte of the file: methods may share their lists.
const SHARED: usize = 4;

/// A program and the file that it is in.
pub(super) struct Source<'f, 'p> {
    pub(super) file: &'f [u8],
    pub(super) pte: &'p Pte<'f>,
    pub(super) program: Program<'f>,
}

/// Segments, then named data, then every method with its delegates and tensors.
pub(super) fn items<'f>(file: &'f [u8], pte: &Pte<'f>) -> Result<Vec<Item<'f>>, Error> {
    let source = Source { file, pte, program: pte.program()? };
    let mut items = segments(&source);
    items.extend(named(&source));
    for (plan, index) in each_plan(&source) {
        items.push(methods::item(&source, &plan, index));
        items.extend(delegates(&source, &plan, index));
        items.extend(constants::items(&source, &plan, index));
        items.extend(tensor_items(&source, &plan, index));
    }
    Ok(items)
}

/// The methods with their indices, as many as the file pays for.
pub(super) fn each_plan<'f>(source: &Source<'f, '_>) -> impl Iterator<Item = (Plan<'f>, u64)> {
    let mut left = source.file.len().saturating_mul(SHARED);
    let plans = source.program.plans().iter().zip(0_u64..);
    let plans = plans.filter_map(|(plan, index)| Some((plan.ok()?, index)));
    plans.map_while(move |(plan, index)| {
        left = left.checked_sub(methods::cost(&plan))?;
        Some((plan, index))
    })
}

/// The tensors of a method, with the indices of their values.
pub(super) fn each_tensor<'f>(
    plan: &Plan<'f>,
) -> impl Iterator<Item = (FbRef<'f, Tensor<'f>>, u64)> + use<'f> {
    let slots = plan.values().iter().zip(0_u64..);
    slots.filter_map(|(slot, index)| match slot.ok()?.value? {
        Kernel::Tensor(tensor) => Some((tensor, index)),
        _ => None,
    })
}

/// The path of a value of a method.
pub(super) fn tensor_path(method: u64, index: u64) -> String {
    format!("program.plans[{method}].values[{index}].value")
}

/// Bytes that lie in the file, or should.
pub(super) struct Stored<'f> {
    pub(super) offset: u64,
    pub(super) size: u64,
    pub(super) bytes: Option<&'f [u8]>,
}

impl<'f> Stored<'f> {
    pub(super) fn item(
        self,
        path: String,
        kind: &str,
        name: Option<&str>,
        file_name: String,
    ) -> Item<'f> {
        let bytes = self.bytes;
        Item {
            path,
            kind: kind.to_owned(),
            name: name.map(|name| name.as_bytes().to_vec()),
            offset: self.offset,
            stored_size: self.size,
            columns: Vec::new(),
            details: Vec::new(),
            file_name,
            is_file: true,
            promised: None,
            payload: Box::new(move || stored(bytes)),
        }
    }
}

fn stored(bytes: Option<&[u8]>) -> Payload<'_> {
    bytes.map(Cow::Borrowed).ok_or_else(|| "its bytes do not lie in the file".to_owned())
}

impl<'f> Source<'f, '_> {
    fn segment(&self, index: u64) -> Option<Stored<'f>> {
        let segment = self.program.segments().get(index)?.ok()?;
        let offset = self.pte.offset_of(&segment).unwrap_or(u64::MAX);
        Some(Stored { offset, size: segment.size, bytes: self.pte.segment(&segment) })
    }

    /// A segment that something names; one that is not there has no bytes.
    fn named_segment(&self, index: u32) -> Stored<'f> {
        self.segment(index.into()).unwrap_or(Stored { offset: 0, size: 0, bytes: None })
    }

    pub(super) fn inline(&self, bytes: Option<&'f [u8]>) -> Stored<'f> {
        let size = wide(bytes.map_or(0, <[u8]>::len));
        Stored { offset: bytes.map_or(0, |bytes| offset_in(self.file, bytes)), size, bytes }
    }
}

/// Every segment, empty and broken ones too.
fn segments<'f>(source: &Source<'f, '_>) -> Vec<Item<'f>> {
    let roles = source.program.roles();
    let count = source.program.segments().count();
    let item = |index: u64| {
        let stored = source.segment(index)?;
        let name = format!("segment-{index}.bin");
        let mut item = stored.item(format!("program.segments[{index}]"), "segment", None, name);
        let role = roles.get(&index).map(|role| role.name());
        item.columns.push(("role", role.into()));
        Some(item)
    };
    (0..count).filter_map(item).collect()
}

fn named<'f>(source: &Source<'f, '_>) -> Vec<Item<'f>> {
    let list = source.program.named_data();
    let mut left = source.file.len().saturating_mul(SHARED);
    let named = list.iter().zip(0_u64..).map_while(|(named, index)| {
        // Keys can be shared, too.
        let len = named.as_ref().map_or(0, |named| named.key.map_or(0, str::len));
        left = left.checked_sub(len)?;
        Some((named, index))
    });
    let item = |(named, index): (Result<_, Error>, u64)| {
        let named: binfmt_formats::pte::program::NamedData<'f> = named.ok()?;
        let key = named.key.unwrap_or_default();
        let stored = source.named_segment(named.segment_index);
        let path = format!("program.named_data[{index}]");
        let mut item = stored.item(path, "named", named.key, key.to_owned());
        item.columns.push(("segment", named.segment_index.into()));
        Some(item)
    };
    named.filter_map(item).collect()
}

fn delegates<'f>(source: &Source<'f, '_>, plan: &Plan<'f>, method: u64) -> Vec<Item<'f>> {
    let item = |(delegate, index): (Result<Delegate<'f>, Error>, u64)| {
        delegate_item(source, plan, &delegate.ok()?, [method, index])
    };
    plan.delegates().iter().zip(0_u64..).filter_map(item).collect()
}

/// The blobs of delegates, which may hold weights that nobody can tell from other bytes.
pub(super) fn closed(file: &[u8], pte: &Pte<'_>) -> Vec<String> {
    let Ok(program) = pte.program() else { return Vec::new() };
    let source = Source { file, pte, program };
    let mut closed = Vec::new();
    for (plan, method) in each_plan(&source) {
        for (delegate, index) in plan.delegates().iter().zip(0_u64..) {
            let Ok(delegate) = delegate else { continue };
            if let Some(Ok(_)) = pte.xnnpack(&source.program, &delegate) {
                continue;
            }
            let Some(item) = delegate_item(&source, &plan, &delegate, [method, index]) else {
                continue;
            };
            let backend = item.shown_name();
            closed.push(format!(
                "{}: the {} bytes for {backend} may hold weights, and are no tensor",
                item.path, item.stored_size
            ));
        }
    }
    closed
}

fn delegate_item<'f>(
    source: &Source<'f, '_>,
    plan: &Plan<'f>,
    delegate: &Delegate<'f>,
    [method, index]: [u64; 2],
) -> Option<Item<'f>> {
    let processed = delegate.processed.as_ref()?.get().ok()?;
    let (stored, location, segment) = match processed.location {
        DataLocation::Segment => {
            (source.named_segment(processed.index), "segment", Some(processed.index))
        }
        DataLocation::Inline => {
            let blobs = source.program.backend_delegate_data.unwrap_or_default();
            let blob = blobs.get(processed.index.into()).and_then(Result::ok);
            (source.inline(blob.map(|blob| blob.bytes())), "inline", None)
        }
        DataLocation::Other(_) => (source.inline(None), "unknown", None),
    };
    let id = delegate.id.unwrap_or("delegate");
    let name = plan.name.unwrap_or("method");
    let path = format!("program.plans[{method}].delegates[{index}]");
    let file_name = format!("{name}-{index}-{id}.bin");
    let mut item = stored.item(path, "delegate", delegate.id, file_name);
    item.columns = vec![
        ("method", plan.name.into()),
        ("location", location.into()),
        ("segment", segment.into()),
    ];
    let opened = source.pte.xnnpack(&source.program, delegate).and_then(Result::ok);
    let nodes = opened.and_then(|payload| payload.graph().root().ok()).map(|graph| graph.nodes);
    let nodes =
        nodes.map(|nodes| nodes.iter().flatten().map(|node| node.kind()).collect::<Vec<_>>());
    let keys = delegate.compile_specs.iter().map_while(Result::ok).map(|spec| spec.key);
    item.details =
        vec![("compile_specs", keys.collect::<Vec<_>>().into()), ("nodes", nodes.into())];
    Some(item)
}

fn tensor_items<'f>(source: &Source<'f, '_>, plan: &Plan<'f>, method: u64) -> Vec<Item<'f>> {
    let item = |(tensor, index): (FbRef<'f, Tensor<'f>>, u64)| {
        let offset = tensor.range().map_or(0, |range| range.start);
        Some(tensor_item(source, plan, &tensor.get().ok()?, (method, index, offset)))
    };
    each_tensor(plan).filter_map(item).collect()
}

/// A tensor with its bytes, or one that has none in the file.
fn tensor_item<'f>(
    source: &Source<'f, '_>,
    plan: &Plan<'f>,
    tensor: &Tensor<'f>,
    (method, index, table): (u64, u64, u64),
) -> Item<'f> {
    let storage = tensor.storage();
    let extra = tensor.extra_tensor_info.as_ref();
    let name = extra.and_then(|extra| extra.fully_qualified_name);
    let dtype = tensor.scalar_type.name();
    let unnamed = || value_name(plan.name.unwrap_or("method"), index);
    let shown = name.map_or_else(unnamed, str::to_owned);
    let in_file = matches!(storage, Storage::Constant { .. } | Storage::Mutable { .. });
    let stored = if in_file {
        let bytes = source.pte.tensor_bytes(&source.program, tensor);
        let size = tensor.byte_len().unwrap_or(0);
        Stored { size, ..source.inline(bytes) }
    } else {
        Stored { offset: table, size: 0, bytes: Some(&[]) }
    };
    let path = tensor_path(method, index);
    let mut item = stored.item(path, "tensor", name, format!("{shown}.{dtype}"));
    item.is_file = in_file;
    item.columns = vec![
        ("method", plan.name.into()),
        ("location", location(tensor, storage).into()),
        ("dtype", dtype.into()),
        ("shape", shape(tensor)),
    ];
    let buffer = (tensor.data_buffer_idx > 0).then_some(tensor.data_buffer_idx);
    item.details = vec![
        ("dim_order", tensor.dim_order.map_or(Value::Null, |order| json!(order))),
        ("bytes", tensor.byte_len().map_or(Value::Null, number)),
        ("buffer", buffer.into()),
    ];
    item
}

/// Where the bytes of a tensor are.
fn location(tensor: &Tensor<'_>, storage: Storage<'_>) -> &'static str {
    match storage {
        Storage::Constant { .. } => "constant",
        Storage::Mutable { .. } => "mutable",
        Storage::External { .. } => "external",
        Storage::None if tensor.allocation_info.is_some() => "planned",
        Storage::None => "none",
    }
}

pub(super) fn shape(tensor: &Tensor<'_>) -> Value {
    tensor.shape().collect::<Vec<_>>().into()
}
