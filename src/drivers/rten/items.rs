//! The constants of a model.

use binfmt_formats::rten::{Constant, ConstantDataType, Rten};
use serde_json::Value;

use binfmt_tool::item::{Item, stored};
use binfmt_tool::json::wide;

/// Every constant that can be read, in file order; those of graphs in operators too.
pub(super) fn items<'f>(rten: &Rten<'f>) -> Vec<Item<'f>> {
    rten.constants().filter_map(Result::ok).zip(0_u64..).map(item).collect()
}

fn item((constant, index): (Constant<'_>, u64)) -> Item<'_> {
    let bytes = constant.bytes;
    let dtype = constant.dtype.and_then(ConstantDataType::name);
    let shape: Vec<Value> = constant.shape.iter().map_while(Result::ok).map(Value::from).collect();
    let name = match constant.name {
        Some(name) if !name.is_empty() => name.to_owned(),
        _ => format!("constant-{index}"),
    };
    Item {
        path: constant.path,
        kind: "constant".to_owned(),
        name: constant.name.map(|name| name.as_bytes().to_vec()),
        offset: constant.offset.unwrap_or(0),
        stored_size: bytes.map_or(0, |bytes| wide(bytes.len())),
        columns: vec![
            ("dtype", dtype.into()),
            ("shape", shape.into()),
            ("location", if constant.external { "external" } else { "inline" }.into()),
        ],
        details: Vec::new(),
        file_name: format!("{name}.{}", dtype.unwrap_or("bin")),
        is_file: true,
        promised: None,
        payload: Box::new(move || stored(bytes)),
    }
}
