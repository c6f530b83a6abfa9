//! Tensor data from files of elements.

use std::io::Write;

use binfmt_formats::ptd::{Builder, Edit, Ptd, ScalarType};
use binfmt_runtime::BinFormat as _;
use binfmt_tool::driver::{Packed, Packing, Unmade};

/// Writes a file with these tensors and blobs.
pub(super) fn pack(packing: &Packing<'_>, out: &mut dyn Write) -> Result<(), Unmade> {
    packing.settings.only(&["align"])?;
    let align = packing.settings.number("align")?;
    let empty = Builder::new().to_vec().map_err(Unmade::because)?;
    let file = packing.template.unwrap_or(&empty);
    let ptd = Ptd::parse(file).map_err(Unmade::because)?;
    let mut edit = Edit::new(&ptd).map_err(Unmade::because)?;
    let keys = ptd.tensors().map_err(Unmade::because)?;
    let key = |path: &str| {
        let found = keys.iter().find(|tensor| tensor.path == path);
        found.map(|tensor| tensor.name.clone())
    };
    let missing = |path: &str| Unmade::because(format!("nothing with a key lies at {path}"));
    for path in &packing.dropped {
        let key = key(path).ok_or_else(|| missing(path))?;
        edit.drop_named(&key).map_err(Unmade::because)?;
    }
    for Packed { fields, path, bytes } in &packing.changed {
        let key = key(path).ok_or_else(|| missing(path))?;
        let done = edit.replace(&key, *bytes);
        done.map_err(|error| Unmade::because(format!("{}: {error}", fields.name())))?;
    }
    for new in &packing.added {
        add(&mut edit, new)?;
    }
    if let Some(align) = align {
        edit.set_align(align).map_err(Unmade::because)?;
    }
    Ok(edit.pieces(file).map_err(Unmade::because)?.write_to(out)?)
}

fn add<'f>(edit: &mut Edit<'f>, new: &Packed<'f>) -> Result<(), Unmade> {
    let Packed { fields, bytes, .. } = new;
    fields.only(&["kind", "name", "dtype", "shape", "dim_order", "segment"])?;
    let key = fields.text("name")?.ok_or_else(|| fields.missing("name"))?;
    let named =
        |error: &dyn ToString| Unmade::because(format!("{}: {}", fields.name(), error.to_string()));
    let Some(dtype) = fields.text("dtype")? else {
        return edit.add_blob(key, *bytes).map_err(|error| named(&error));
    };
    let ty = ScalarType::named(dtype).ok_or_else(|| named(&format!("there is no type {dtype}")))?;
    let shape = fields.numbers("shape")?.ok_or_else(|| fields.missing("shape"))?;
    let order = fields.numbers("dim_order")?.unwrap_or_default();
    let order = order.into_iter().map(u8::try_from).collect::<Result<Vec<_>, _>>();
    let order = order.map_err(|_| named(&"`dim_order` is no order of dimensions"))?;
    let done = if order.is_empty() {
        edit.add_tensor(key, ty, &shape, *bytes)
    } else {
        edit.add_tensor_with(key, ty, &shape, &order, *bytes)
    };
    done.map_err(|error| named(&error))
}
