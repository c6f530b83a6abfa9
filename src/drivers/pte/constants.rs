//! The constants of delegates that can be opened.

use binfmt_formats::pte::Plan;
use binfmt_formats::pte::call::Delegate;
use binfmt_formats::pte::xnnpack::{Constant, Place, Xnnpack};
use binfmt_tool::item::Item;

use super::items::{Source, Stored};

/// Every constant of every delegate of a method.
pub(super) fn items<'f>(source: &Source<'f, '_>, plan: &Plan<'f>, method: u64) -> Vec<Item<'f>> {
    let mut all = Vec::new();
    for (delegate, index) in plan.delegates().iter().zip(0_u64..) {
        let Ok(delegate) = delegate else { continue };
        all.extend(of_delegate(source, plan, &delegate, [method, index]).unwrap_or_default());
    }
    all
}

fn of_delegate<'f>(
    source: &Source<'f, '_>,
    plan: &Plan<'f>,
    delegate: &Delegate<'f>,
    [method, index]: [u64; 2],
) -> Option<Vec<Item<'f>>> {
    let payload: Xnnpack<'f> = source.pte.xnnpack(&source.program, delegate)?.ok()?;
    let name = plan.name.unwrap_or("method");
    let path = format!("program.plans[{method}].delegates[{index}].graph");
    let own = format!("{name}-delegate-{index}");
    let constants = payload.constants().ok()?;
    let item = |constant: &Constant<'f>| {
        let mut item = item(source, constant, &path, &own);
        item.columns.insert(0, ("method", plan.name.into()));
        item
    };
    Some(constants.iter().map(item).collect())
}

fn item<'f>(source: &Source<'f, '_>, constant: &Constant<'f>, graph: &str, own: &str) -> Item<'f> {
    let (bytes, key, location) = match constant.place {
        Place::Payload { bytes } => (bytes, None, "payload"),
        Place::Named { key, .. } => {
            let bytes = source.pte.named_bytes(&source.program, key);
            (bytes, Some(key), if bytes.is_some() { "named" } else { "external" })
        }
    };
    let dtype = constant.datatype.name();
    let path = format!("{graph}.values[{}]", constant.value);
    let shown = key.map_or_else(|| format!("{own}-value-{}", constant.id), str::to_owned);
    let stored: Stored<'f> = source.inline(bytes);
    let mut item = stored.item(path, "constant", key, format!("{shown}.{dtype}"));
    item.is_file = bytes.is_some();
    item.columns = vec![
        ("location", location.into()),
        ("dtype", dtype.into()),
        ("shape", constant.shape.clone().into()),
    ];
    item
}
