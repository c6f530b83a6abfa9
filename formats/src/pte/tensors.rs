//! The constants and first states of a program, each under one name.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use binfmt_runtime::Error;
use hashbrown::{HashMap, HashSet};

use super::{Plan, Pte, Storage, Tensor as Table, Value};
use crate::shared::too_many;
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
    /// Every tensor of every method that has bytes, here or in a `.ptd`, in the order of the values;
    /// then data with keys, as blobs. What several methods use has the same name in all of them.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/pte/");
    /// use binfmt_formats::pte::Pte;
    /// use binfmt_runtime::BinFormat;
    ///
    /// let file = std::fs::read(format!("{folder}mlp.pte"))?;
    /// let tensors = Pte::parse(&file)?.tensors()?;
    /// let bias = tensors.iter().find(|tensor| tensor.name == "forward-value-2").unwrap();
    /// assert_eq!((bias.dtype(), &bias.shape[..]), (Some("f32"), &[8][..]));
    /// # Ok(())
    /// # }
    /// ```
    pub fn tensors(&self) -> Result<Vec<Tensor<'a>>, Error> {
        let mut all: Vec<_> = self.weights()?.into_iter().map(|(tensor, _)| tensor).collect();
        let program = self.program()?;
        for (named, index) in program.named_data().iter().zip(0_u64..) {
            let named = named?;
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

    /// The tensors of methods that have bytes, and where these are.
    pub fn weights(&self) -> Result<Vec<(Tensor<'a>, Storage<'a>)>, Error> {
        let program = self.program()?;
        let (mut all, mut names) = (Vec::new(), Names::default());
        let mut left = self.buffer().bytes().len().saturating_mul(SHARED).saturating_add(4096);
        for (plan, method) in program.plans().iter().zip(0_u64..) {
            let plan = plan?;
            for (slot, index) in plan.values().iter().zip(0_u64..) {
                left = left.checked_sub(1).ok_or_else(|| too_many("methods share their values"))?;
                let Some(Value::Tensor(table)) = slot?.value else { continue };
                let table = table.get()?;
                let Some((name, storage)) = names.of(&plan, &table, index) else { continue };
                let tensor = Tensor {
                    path: format!("program.plans[{method}].values[{index}].value"),
                    name,
                    scalar_type: Some(table.scalar_type),
                    shape: table.shape().collect(),
                    dim_order: table.dim_order.unwrap_or_default().to_vec(),
                    bytes: self.tensor_bytes(&program, &table),
                };
                all.push((tensor, storage));
            }
        }
        Ok(all)
    }
}

/// The names that were given.
#[derive(Default)]
struct Names<'a> {
    by_content: HashMap<Content<'a>, String>,
    taken: HashSet<String>,
}

impl<'a> Names<'a> {
    /// The name of a tensor that has bytes somewhere, and where.
    fn of(
        &mut self,
        plan: &Plan<'a>,
        table: &Table<'a>,
        value: u64,
    ) -> Option<(String, Storage<'a>)> {
        let storage = table.storage();
        let (list, index) = match storage {
            Storage::None => return None,
            Storage::External { key } => return Some((key.to_owned(), storage)),
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
        Some((self.give(content, table, (plan.name.unwrap_or("method"), value)), storage))
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
