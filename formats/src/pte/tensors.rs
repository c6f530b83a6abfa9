//! The constants and first states of a program, each under one name.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use binfmt_runtime::{BinFormat as _, Error};
use hashbrown::{HashMap, HashSet};

use super::call::Delegate;
use super::xnnpack::{self, Constant, Place, Xnnpack};
use super::{Plan, Program, Pte, Storage, Tensor as Table, Value};
use crate::scalar_type::ScalarType;
use crate::shared::{too_many, wide};
use crate::tensor::Tensor;

/// How many values are looked at for one byte of the program: methods may share their lists.
const SHARED: usize = 4;

/// Where the bytes of a tensor are, and what is made of them.
#[derive(PartialEq, Eq, Hash)]
struct Content<'a> {
    list: Option<u64>,
    index: u32,
    dtype: &'static str,
    shape: Vec<u64>,
    order: &'a [u8],
}

impl<'a> Pte<'a> {
    /// Every tensor of every method that has bytes, here or in a `.ptd`, in the order of the values,
    /// and behind them the constants of its delegates that can be opened; then data with keys that is
    /// none of these, as blobs. What several methods use has the same name in all of them.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/pte/");
    /// use binfmt_formats::pte::Pte;
    /// use binfmt_runtime::BinFormat;
    ///
    /// let file = std::fs::read(format!("{folder}mlp.pte"))?;
    /// let tensors = Pte::parse(&file)?.tensors()?;
    /// let bias = tensors.iter().find(|tensor| tensor.name == "forward-value-1").unwrap();
    /// assert_eq!((bias.dtype(), &bias.shape[..]), (Some("f32"), &[8][..]));
    /// # Ok(())
    /// # }
    /// ```
    pub fn tensors(&self) -> Result<Vec<Tensor<'a>>, Error> {
        let weights = self.weights()?;
        let known: HashSet<&str> = weights.iter().filter_map(|(_, source)| source.key()).collect();
        let program = self.program()?;
        let mut all: Vec<_> = weights.iter().map(|(tensor, _)| tensor.clone()).collect();
        for (named, index) in program.named_data().iter().zip(0_u64..) {
            let named = named?;
            if named.key.is_some_and(|key| known.contains(key)) {
                continue;
            }
            all.push(Tensor {
                path: format!("program.named_data[{index}]"),
                name: named.key.unwrap_or_default().to_owned(),
                scalar_type: None,
                shape: Vec::new(),
                dim_order: Vec::new(),
                bytes: self.segment_at(&program, named.segment_index.into()),
            });
        }
        Ok(all)
    }

    /// The tensors of methods and delegates that have bytes, and where these are.
    pub fn weights(&self) -> Result<Vec<(Tensor<'a>, Source<'a>)>, Error> {
        let program = self.program()?;
        let (mut all, mut names) = (Vec::new(), Names::default());
        let mut keyed = HashMap::new();
        for data in &program.named_data() {
            let data = data?;
            let bytes = self.segment_at(&program, data.segment_index.into());
            keyed.entry(data.key.unwrap_or_default()).or_insert(bytes);
        }
        let mut left = self.buffer().bytes().len().saturating_mul(SHARED).saturating_add(4096);
        for (plan, method) in program.plans().iter().zip(0_u64..) {
            let plan = plan?;
            for (slot, index) in plan.values().iter().zip(0_u64..) {
                left = left.checked_sub(1).ok_or_else(|| too_many("methods share their values"))?;
                let Some(Value::Tensor(table)) = slot?.value else { continue };
                let table = table.get()?;
                let cost = usize::try_from(table.cost(&plan)).unwrap_or(usize::MAX);
                left = left.checked_sub(cost).ok_or_else(|| too_many("tensors share names"))?;
                let Some((name, source)) = names.of(&plan, &table, index) else { continue };
                let tensor = Tensor {
                    path: format!("program.plans[{method}].values[{index}].value"),
                    name,
                    scalar_type: Some(table.scalar_type),
                    shape: table.shape().collect(),
                    dim_order: table.dim_order.unwrap_or_default().to_vec(),
                    bytes: self.tensor_bytes(&program, &table),
                };
                all.push((tensor, source));
            }
            for (delegate, index) in plan.delegates().iter().zip(0_u64..) {
                left = left.checked_sub(1).ok_or_else(|| too_many("methods share delegates"))?;
                let delegate = delegate?;
                let Some(Ok(payload)) = self.xnnpack(&program, &delegate) else { continue };
                let constants = payload.constants()?;
                left = left
                    .checked_sub(constants.len())
                    .ok_or_else(|| too_many("delegates share their blobs"))?;
                let site = Site { named: &keyed, method, plan: &plan, delegate: index };
                for constant in &constants {
                    all.extend(of_delegate(&site, constant, &mut names));
                }
            }
        }
        Ok(all)
    }

    /// The payload of a delegate of XNNPACK, or why it cannot be read; `None` for another backend and
    /// for a blob that does not lie in the file.
    pub fn xnnpack(
        &self,
        program: &Program<'a>,
        delegate: &Delegate<'a>,
    ) -> Option<Result<Xnnpack<'a>, Error>> {
        if delegate.id != Some(xnnpack::BACKEND) {
            return None;
        }
        Some(Xnnpack::parse(self.delegate_bytes(program, delegate)?))
    }
}

/// A constant of a delegate, and its scales.
fn of_delegate<'a>(
    site: &Site<'_, 'a>,
    constant: &Constant<'a>,
    names: &mut Names<'a>,
) -> Vec<(Tensor<'a>, Source<'a>)> {
    let Site { method, delegate, .. } = site;
    let path =
        format!("program.plans[{method}].delegates[{delegate}].graph.values[{}]", constant.value);
    let plan = site.plan.name.unwrap_or("method");
    let own = format!("{plan}-delegate-{delegate}-value-{}", constant.id);
    let (bytes, source) = site.bytes_at(constant.place);
    let bytes = bytes.and_then(|bytes| {
        let len = constant.byte_len.and_then(|len| usize::try_from(len).ok());
        len.map_or(Some(bytes), |len| bytes.get(..len))
    });
    let scalar_type = constant.datatype.scalar_type().unwrap_or(ScalarType::Bits8);
    // What has no type of its own is the bytes that it takes.
    let shape = match (constant.datatype.scalar_type(), bytes) {
        (None, Some(bytes)) => [wide(bytes.len())].into(),
        _ => constant.shape.clone(),
    };
    let name = names.of_constant(source, scalar_type, &shape, own);
    let tensor = |path, name, scalar_type, shape, bytes| Tensor {
        path,
        name,
        scalar_type: Some(scalar_type),
        shape,
        dim_order: Vec::new(),
        bytes,
    };
    let scale_path = format!("{path}.scale");
    let mut all = Vec::from([(tensor(path, name.clone(), scalar_type, shape, bytes), source)]);
    if let Some(scales) = &constant.scales {
        let (bytes, source) = site.bytes_at(scales.place);
        let shape = Vec::from([scales.count]);
        let own = format!("{name}.scale");
        let name = names.of_constant(source, scales.scalar_type, &shape, own);
        all.push((tensor(scale_path, name, scales.scalar_type, shape, bytes), source));
    }
    all
}

/// Where a delegate is.
struct Site<'s, 'a> {
    /// The bytes behind every key of the program.
    named: &'s HashMap<&'a str, Option<&'a [u8]>>,
    method: u64,
    plan: &'s Plan<'a>,
    delegate: u64,
}

impl<'a> Site<'_, 'a> {
    /// The bytes of a constant, and where they are.
    fn bytes_at(&self, place: Place<'a>) -> (Option<&'a [u8]>, Source<'a>) {
        match place {
            Place::Payload { bytes } => {
                (bytes, Source::Payload { bytes: bytes.unwrap_or_default() })
            }
            Place::Named { key, .. } => {
                (self.named.get(key).copied().flatten(), Source::Named { key })
            }
        }
    }
}

/// Where the bytes of a weight are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source<'a> {
    /// It is a tensor of the program.
    Program(Storage<'a>),
    /// It is a constant of a delegate, which looks it up: among the named data, or in a `.ptd`.
    Named {
        /// The key.
        key: &'a str,
    },
    /// It is a constant of a delegate, and lies in its payload.
    Payload {
        /// The bytes.
        bytes: &'a [u8],
    },
}

impl<'a> Source<'a> {
    /// The key, if a delegate looks it up.
    pub const fn key(&self) -> Option<&'a str> {
        match self {
            Self::Named { key } => Some(key),
            Self::Program(_) | Self::Payload { .. } => None,
        }
    }
}

/// The names that were given.
#[derive(Default)]
struct Names<'a> {
    by_content: HashMap<Content<'a>, String>,
    by_key: HashMap<(&'a str, ScalarType, Vec<u64>), String>,
    taken: HashSet<String>,
}

impl<'a> Names<'a> {
    /// The name of a tensor that has bytes somewhere, and where.
    fn of(
        &mut self,
        plan: &Plan<'a>,
        table: &Table<'a>,
        value: u64,
    ) -> Option<(String, Source<'a>)> {
        let storage = table.storage();
        let (list, index) = match storage {
            Storage::None => return None,
            Storage::External { key } => return Some((key.to_owned(), Source::Program(storage))),
            Storage::Constant { index } => (None, index),
            Storage::Mutable { list, index } => (Some(list), index),
        };
        let content = Content {
            list,
            index,
            dtype: table.scalar_type.name(),
            shape: table.shape().collect(),
            order: table.dim_order.unwrap_or_default(),
        };
        let name = self.give(content, table, (plan.name.unwrap_or("method"), value));
        Some((name, Source::Program(storage)))
    }

    /// The key of a constant of a delegate; without one, or if something else has it, `own`.
    fn of_constant(
        &mut self,
        source: Source<'a>,
        scalar_type: ScalarType,
        shape: &[u64],
        own: String,
    ) -> String {
        let Some(key) = source.key() else {
            self.taken.insert(own.clone());
            return own;
        };
        let content = (key, scalar_type, shape.to_vec());
        if let Some(name) = self.by_key.get(&content) {
            return name.clone();
        }
        let name = if self.taken.contains(key) { own } else { key.to_owned() };
        self.taken.insert(name.clone());
        self.by_key.insert(content, name.clone());
        name
    }

    /// The name in the model; without one, or if something else has it, the method and the value.
    fn give(&mut self, content: Content<'a>, table: &Table<'a>, at: (&str, u64)) -> String {
        if let Some(name) = self.by_content.get(&content) {
            return name.clone();
        }
        let extra = table.extra_tensor_info.as_ref();
        let name = extra.and_then(|extra| extra.fully_qualified_name).map(str::to_owned);
        let name = name.filter(|name| !self.taken.contains(name));
        let name = name.unwrap_or_else(|| value_name(at.0, at.1));
        self.taken.insert(name.clone());
        self.by_content.insert(content, name.clone());
        name
    }
}

/// What a value is called that has no name.
pub fn value_name(method: &str, index: u64) -> String {
    format!("{method}-value-{index}")
}
