//! The constants and first states of a program, each under one name.

use std::collections::{HashMap, HashSet};

use binfmt_formats::pte::{Plan, Pte, Storage, Tensor as Table};
use binfmt_runtime::Error;

use super::items::{Source, each_plan, each_tensor, tensor_path};
use binfmt_tool::Tensor;

/// Where the bytes of a tensor are: which list, which index in it, and what is made of them.
#[derive(PartialEq, Eq, Hash)]
struct Content<'f> {
    list: Option<u64>,
    index: u32,
    dtype: &'static str,
    shape: Vec<u64>,
    order: &'f [u8],
}

/// Every tensor that has bytes, here or in a `.ptd`. Those that methods share have one name.
pub(super) fn tensors<'f>(file: &'f [u8], pte: &Pte<'f>) -> Result<Vec<Tensor<'f>>, Error> {
    let source = Source { file, pte, program: pte.program()? };
    let (mut all, mut names) = (Vec::new(), Names::default());
    for (plan, method) in each_plan(&source) {
        for (reference, index) in each_tensor(&plan) {
            let Ok(table) = reference.get() else { continue };
            let path = tensor_path(method, index);
            all.extend(tensor(&source, &plan, &table, (path, index), &mut names));
        }
    }
    Ok(all)
}

fn tensor<'f>(
    source: &Source<'f, '_>,
    plan: &Plan<'f>,
    table: &Table<'f>,
    (path, value): (String, u64),
    names: &mut Names<'f>,
) -> Option<Tensor<'f>> {
    let order = table.dim_order.unwrap_or_default();
    let shape: Vec<u64> = table.shape().collect();
    let dtype = table.scalar_type.name();
    let of = |list, index| Content { list, index, dtype, shape: shape.clone(), order };
    let method = plan.name.unwrap_or("method");
    let name = match table.storage() {
        Storage::None => return None,
        Storage::External(key) => key.to_owned(),
        Storage::Constant(index) => names.give(of(None, index), table, (method, value)),
        Storage::Mutable(list, index) => names.give(of(Some(list), index), table, (method, value)),
    };
    Some(Tensor {
        path,
        name,
        dtype: Some(dtype),
        order: order.to_vec(),
        bytes: source.pte.tensor_bytes(&source.program, table),
        shape,
    })
}

/// The names that were given.
#[derive(Default)]
struct Names<'f> {
    by_content: HashMap<Content<'f>, String>,
    taken: HashSet<String>,
}

impl<'f> Names<'f> {
    /// The name in the model; without one, or if something else has it, the method and the value.
    fn give(&mut self, content: Content<'f>, table: &Table<'f>, at: (&str, u64)) -> String {
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
pub(super) fn value_name(method: &str, index: u64) -> String {
    format!("{method}-value-{index}")
}
