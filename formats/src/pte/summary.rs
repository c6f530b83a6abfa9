//! What makes a program big, and what its methods do.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::ops::Range;

use binfmt_runtime::{BinFormat as _, Error};
use hashbrown::HashMap;

use super::call::{Call, Delegate, Operator};
use super::kind::ShapeDynamism;
use super::xnnpack::Xnnpack;
use super::{Bundle, Plan, Program, Pte, Role, Source, Storage, Value};
use crate::shared::{offset_within, too_many, wide};
use crate::summary::{
    Claims, Counts, Delegated, Dim, Facts, Method, Piece, Port, Purpose, Summary,
};

/// How many arguments of calls are looked at for one byte of the program: methods may share chains.
const SHARED: usize = 4;

/// What claims more than what lies around it: the file, the tables or a segment, the blob of a
/// delegate, a tensor.
const TABLES: u8 = 0;
const SEGMENT: u8 = 1;
const BLOB: u8 = 2;
const TENSOR: u8 = 3;

/// Who uses a tensor.
#[derive(Debug, Clone, Default)]
struct Users {
    method: String,
    operators: Vec<String>,
    backend: Option<String>,
}

impl Pte<'_> {
    /// What makes the file big: tensors, segments, tables and padding, by method, operator and
    /// delegate; and what the methods take, give and do.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/pte/");
    /// use binfmt_formats::pte::Pte;
    /// use binfmt_runtime::BinFormat;
    ///
    /// let file = std::fs::read(format!("{folder}mlp_xnnpack.pte"))?;
    /// let summary = Pte::parse(&file)?.summary()?;
    /// let delegate = &summary.methods[0].delegates[0];
    /// let nodes = delegate.operators.as_ref().unwrap();
    /// assert_eq!(nodes[..], [("FullyConnected".to_owned(), 2)]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn summary(&self) -> Result<Summary, Error> {
        let program = self.program()?;
        let mut claims = Claims::default();
        self.claim_tables(&program, &mut claims);
        let places = self.claim_segments(&program, &mut claims);
        let mut users = HashMap::new();
        let mut left = self.buffer().bytes().len().saturating_mul(SHARED).saturating_add(4096);
        let mut methods = Vec::new();
        for (plan, index) in program.plans().iter().zip(0_u64..) {
            let plan = plan?;
            methods.push(self.method(&program, &plan, &mut left)?);
            find_users(&plan, index, &mut left, &mut users)?;
            for (delegate, at) in plan.delegates().iter().zip(0_u64..) {
                let delegate = delegate?;
                let site = format!("program.plans[{index}].delegates[{at}]");
                self.claim_blob(&program, (&plan, &delegate), &places, &mut claims);
                let Some(Ok(payload)) = self.xnnpack(&program, &delegate) else { continue };
                find_nodes(&payload, (&plan, &delegate, &site), &mut left, &mut users)?;
            }
        }
        self.claim_weights(&places, &users, &mut claims)?;
        let len = self.file_len();
        Ok(Summary { len, pieces: claims.settle(len), methods, ..Summary::default() })
    }

    /// How long the file is that was read.
    fn file_len(&self) -> u64 {
        match self {
            Self::Extended(file) => {
                let parts = [file.program.bytes(), file.gap, file.segments];
                let lens = parts.iter().map(|part| wide(part.len()));
                lens.fold(super::head_len(file.header_len), u64::saturating_add)
            }
            Self::Bare(file) => wide(file.program.bytes().len()).saturating_add(8),
        }
    }

    /// The header, the tables, and what lies in them.
    fn claim_tables(&self, program: &Program<'_>, claims: &mut Claims) {
        let header = self.header();
        let end = header.map_or(u64::MAX, |header| header.program_size);
        claims.add(0..end, TABLES, Facts::of(Purpose::Tables).at("tables"));
        if let Some(header) = header {
            let known = super::head_len(header.header_len);
            claims.add(8..known, SEGMENT, Facts::of(Purpose::Header).at("tables"));
        }
        let constants = program.constant_buffer.unwrap_or_default();
        for constant in constants.iter().flatten() {
            let range = self.range_of(constant.bytes()).unwrap_or_default();
            claims.add(range, SEGMENT, Facts::of(Purpose::Constant).at("tables"));
        }
    }

    /// The segments, and where each lies, in order. What no tensor takes of those that hold tensors
    /// is padding.
    fn claim_segments(&self, program: &Program<'_>, claims: &mut Claims) -> Places {
        let roles = program.roles();
        let keys = program.named_data();
        let mut names: HashMap<u64, &str> = HashMap::new();
        for named in keys.iter().flatten() {
            names.entry(named.segment_index.into()).or_insert(named.key.unwrap_or_default());
        }
        let mut places = Vec::new();
        for (segment, index) in program.segments().iter().zip(0_u64..) {
            let Ok(segment) = segment else { continue };
            let start = self.offset_of(&segment).unwrap_or(u64::MAX);
            let range = start..start.saturating_add(segment.size);
            let purpose = match roles.get(&index) {
                Some(Role::Constants | Role::Mutable) => Purpose::Padding,
                Some(Role::Delegate) => Purpose::Delegate,
                Some(Role::Named) => Purpose::Named,
                None => Purpose::Unused,
            };
            let place = format!("segment {index}");
            let mut facts = Facts::of(purpose).at(place.clone());
            facts.name = names.get(&index).map(|name| (*name).to_owned());
            claims.add(range.clone(), SEGMENT, facts);
            places.push((range, place));
        }
        places.sort_by_key(|(range, _)| range.start);
        Places(places)
    }

    fn claim_blob(
        &self,
        program: &Program<'_>,
        (plan, delegate): (&Plan<'_>, &Delegate<'_>),
        places: &Places,
        claims: &mut Claims,
    ) {
        let bytes = self.delegate_bytes(program, delegate).unwrap_or_default();
        let range = self.range_of(bytes).unwrap_or_default();
        let mut facts = Facts::of(Purpose::Delegate).at(places.of(range.start));
        facts.methods.extend(plan.name.map(str::to_owned));
        facts.delegates.extend(delegate.id.map(str::to_owned));
        claims.add(range, BLOB, facts);
    }

    /// Every tensor that has bytes in the file.
    fn claim_weights(
        &self,
        places: &Places,
        users: &HashMap<String, Users>,
        claims: &mut Claims,
    ) -> Result<(), Error> {
        for (tensor, source) in self.weights()? {
            let Some(range) = tensor.bytes.and_then(|bytes| self.range_of(bytes)) else { continue };
            let purpose = match source {
                Source::Program(Storage::Mutable { .. }) => Purpose::State,
                Source::Program(_) => Purpose::Constant,
                Source::Named { .. } => Purpose::Named,
                Source::Payload { .. } => Purpose::Delegate,
            };
            let mut facts = Facts::of(purpose).at(places.of(range.start)).named(tensor.name);
            facts.dtype = tensor.scalar_type.map(crate::scalar_type::ScalarType::name);
            facts.shape = Some(tensor.shape);
            let path = tensor.path.strip_suffix(".scale").unwrap_or(&tensor.path);
            if let Some(users) = users.get(path) {
                facts.methods.insert(users.method.clone());
                facts.operators.extend(users.operators.iter().cloned());
                facts.delegates.extend(users.backend.clone());
            }
            claims.add(range, TENSOR, facts);
        }
        Ok(())
    }

    /// What a method takes, gives and does.
    fn method(
        &self,
        program: &Program<'_>,
        plan: &Plan<'_>,
        left: &mut usize,
    ) -> Result<Method, Error> {
        let ports = |list: &binfmt_runtime::FbVec<'_, i32>, is_output| {
            let values = list.iter().map_while(Result::ok);
            let values = values.map(|index| plan.value(index.into()));
            values.map(|value| port(value.as_ref(), is_output)).collect()
        };
        spend(left, plan.inputs().count().saturating_add(plan.outputs().count()))?;
        let delegates = plan.delegates();
        let delegates = delegates.iter().flatten().map(|delegate| {
            let nodes = self.xnnpack(program, &delegate).and_then(Result::ok);
            Delegated {
                backend: delegate.id.unwrap_or_default().to_owned(),
                bytes: self.delegate_bytes(program, &delegate).map(|bytes| wide(bytes.len())),
                operators: nodes.and_then(|payload| payload.operators().ok()),
            }
        });
        Ok(Method {
            name: plan.name.unwrap_or_default().to_owned(),
            inputs: ports(&plan.inputs(), false),
            outputs: ports(&plan.outputs(), plan.is_constant()),
            // The first planned buffer is reserved.
            planned: plan
                .planned()
                .iter()
                .skip(1)
                .flatten()
                .map(|size| u64::try_from(size).unwrap_or(0))
                .collect(),
            operators: operators(plan, left)?,
            delegates: delegates.collect(),
        })
    }
}

impl Bundle<'_> {
    /// What makes the file big: the program in it, and the tests beside that.
    pub fn summary(&self) -> Result<Summary, Error> {
        let len = wide(self.tables.bytes().len()).saturating_add(8);
        let mut claims = Claims::default();
        claims.add(0..u64::MAX, TABLES, Facts::of(Purpose::Tables).at("tests"));
        let program = self.program().unwrap_or_default();
        let start = offset_within(self.tables.bytes(), program);
        let start = start.and_then(|start| start.checked_add(8)).unwrap_or(0);
        let inner = if program.is_empty() {
            Summary::default()
        } else {
            Pte::parse(program)?.summary()?.inside(start)
        };
        for Piece { offset, len, facts } in inner.pieces {
            claims.add(offset..offset.saturating_add(len), SEGMENT, facts);
        }
        Ok(Summary { len, pieces: claims.settle(len), ..inner })
    }
}

/// Where segments lie, in order.
struct Places(Vec<(Range<u64>, String)>);

impl Places {
    /// The segment that a byte lies in, else the tables.
    fn of(&self, offset: u64) -> String {
        let behind = self.0.partition_point(|(range, _)| range.start <= offset);
        let before = behind.checked_sub(1).and_then(|at| self.0.get(at));
        let inside = before.filter(|(range, _)| range.contains(&offset));
        inside.map_or_else(|| "tables".to_owned(), |(_, name)| name.clone())
    }
}

fn spend(left: &mut usize, count: u64) -> Result<(), Error> {
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    *left = left.checked_sub(count).ok_or_else(|| too_many("methods share what they do"))?;
    Ok(())
}

/// What an operator is called.
fn operator_name(operator: &Operator<'_>) -> String {
    let name = operator.name.unwrap_or_default();
    match operator.overload.filter(|overload| !overload.is_empty()) {
        Some(overload) => format!("{name}.{overload}"),
        None => name.to_owned(),
    }
}

fn kernel_names(plan: &Plan<'_>) -> Vec<String> {
    plan.operators.iter().map_while(Result::ok).map(|it| operator_name(&it)).collect()
}

/// The calls of a method.
fn calls<'a>(plan: &Plan<'a>, left: &mut usize) -> Result<Vec<Call<'a>>, Error> {
    let mut all = Vec::new();
    for chain in &plan.chains() {
        let instructions = chain?.instructions();
        spend(left, instructions.count().saturating_add(1))?;
        for instruction in &instructions {
            all.extend(instruction?.call);
        }
    }
    Ok(all)
}

/// How often each kernel is called; those that never are count 0.
fn operators(plan: &Plan<'_>, left: &mut usize) -> Result<Vec<(String, u64)>, Error> {
    spend(left, plan.operators.count())?;
    let names = kernel_names(plan);
    let mut counts = Counts::default();
    for name in &names {
        counts.add(name.clone(), 0);
    }
    for call in calls(plan, left)? {
        let Call::Kernel(call) = call else { continue };
        let index = usize::try_from(call.get()?.op_index).ok();
        if let Some(name) = index.and_then(|index| names.get(index)) {
            counts.add(name.clone(), 1);
        }
    }
    Ok(counts.sorted())
}

/// The kernels that use each value of a method.
fn find_users(
    plan: &Plan<'_>,
    method: u64,
    left: &mut usize,
    users: &mut HashMap<String, Users>,
) -> Result<(), Error> {
    let names = kernel_names(plan);
    let mut by_value: HashMap<i32, Vec<String>> = HashMap::new();
    for call in calls(plan, left)? {
        let Call::Kernel(call) = call else { continue };
        let call = call.get()?;
        let index = usize::try_from(call.op_index).ok();
        let args = call.args.unwrap_or_default();
        spend(left, args.count())?;
        let Some(name) = index.and_then(|index| names.get(index)) else { continue };
        for value in args.iter().map_while(Result::ok) {
            let operators = by_value.entry(value).or_default();
            if !operators.contains(name) {
                operators.push(name.clone());
            }
        }
    }
    spend(left, plan.values().count())?;
    for (slot, index) in plan.values().iter().zip(0_i32..) {
        let Ok(Some(Value::Tensor(_))) = slot.map(|slot| slot.value) else { continue };
        let operators = by_value.remove(&index).unwrap_or_default();
        let method_name = plan.name.unwrap_or_default().to_owned();
        let found = Users { method: method_name, operators, backend: None };
        users.insert(format!("program.plans[{method}].values[{index}].value"), found);
    }
    Ok(())
}

/// The nodes that use each value of a delegate.
fn find_nodes(
    payload: &Xnnpack<'_>,
    (plan, delegate, site): (&Plan<'_>, &Delegate<'_>, &str),
    left: &mut usize,
    users: &mut HashMap<String, Users>,
) -> Result<(), Error> {
    let graph = payload.graph().root()?;
    spend(left, graph.nodes.count().saturating_add(graph.values.count()))?;
    let mut by_id: HashMap<u32, Vec<String>> = HashMap::new();
    for node in &graph.nodes {
        let node = node?;
        let Some(operation) = &node.operation else { continue };
        for input in operation.operands().inputs() {
            let nodes = by_id.entry(input).or_default();
            if !nodes.iter().any(|known| known == operation.name()) {
                nodes.push(operation.name().to_owned());
            }
        }
    }
    for constant in payload.constants()? {
        let found = Users {
            method: plan.name.unwrap_or_default().to_owned(),
            operators: by_id.get(&constant.id).cloned().unwrap_or_default(),
            backend: delegate.id.map(str::to_owned),
        };
        users.insert(format!("{site}.graph.values[{}]", constant.value), found);
    }
    Ok(())
}

/// What is known about a value that a caller sets or gets; its own value, where nothing changes it.
fn port(value: Option<&Value<'_>>, is_fixed: bool) -> Port {
    let Some(value) = value else { return Port { kind: "none".to_owned(), ..Port::default() } };
    let mut port = Port { kind: value.name().to_lowercase(), ..Port::default() };
    if let Some(tensor) = value.tensor() {
        port.dtype = Some(tensor.scalar_type.name());
        port.shape = Some(tensor.shape().map(Dim::Size).collect());
        port.is_dynamic = tensor.shape_dynamism != ShapeDynamism::Static;
    }
    port.value = is_fixed.then(|| plain(value)).flatten();
    port
}

fn plain(value: &Value<'_>) -> Option<String> {
    Some(match value {
        Value::Int(int) => int.int_val.to_string(),
        Value::Bool(bool) => bool.bool_val.to_string(),
        Value::Double(double) => double.double_val.to_string(),
        Value::String(text) => text.string_val?.to_owned(),
        _ => return None,
    })
}
