//! `ExecuTorch` tensor data.

use std::io::Write;

use binfmt_formats::ptd::{self, Edit, EditError, Entry, IDENTIFIER, Ptd, Tables};
use binfmt_formats::summary::Summary;
use binfmt_runtime::{BinFormat as _, Error, Events, Finding, Layout, Rule};
use serde_json::Value;

use super::embedded::{self, Extent};
use super::tensors;
use binfmt_tool::Edits;
use binfmt_tool::Tensor;
use binfmt_tool::driver::{
    self, Build, Built, Checked, Container, Driver, Extras, Items, Options, Pack, Packing, Part,
    Places, Summarize, Tensors, Unmade,
};
use binfmt_tool::item::{Item, stored};
use binfmt_tool::json;

mod build;
mod pack;

#[derive(Debug)]
pub(crate) struct PtdDriver;

impl Driver for PtdDriver {
    fn name(&self) -> &'static str {
        "ptd"
    }

    fn layout(&self) -> &'static Layout {
        Ptd::LAYOUT
    }

    fn rules(&self) -> Vec<&'static [Rule]> {
        vec![ptd::RULES]
    }

    fn detect(&self, file: &[u8]) -> bool {
        Ptd::is_meant(file)
    }

    fn validate(&self, file: &[u8], _: &Options) -> Checked {
        let tables = Ptd::parse(file).and_then(|file| file.tables.root());
        let variant = tables.ok().map(|tables| match tables {
            Tables::FlatTensor(_) => "0.7".to_owned(),
            Tables::FlatTensor06(_) => "0.6".to_owned(),
        });
        Checked { variant, report: Ptd::validate(file) }
    }

    fn walk(&self, file: &[u8], part: &Part, _: &Options, events: &mut dyn Events) {
        Ptd::inspect_in_into(file, part.range.clone(), (), events);
    }

    fn rewrite_to(&self, file: &[u8], _: &Options, out: &mut dyn Write) -> Result<(), Unmade> {
        Unmade::by_writer(Ptd::parse(file).map_err(Unmade::because)?.write_to(out))
    }

    fn extras(&self) -> Extras<'_> {
        Extras {
            items: Some(self),
            places: Some(self),
            tensors: Some(self),
            build: Some(self),
            summarize: Some(self),
            edit: Some(self),
            pack: Some(self),
            ..Extras::default()
        }
    }
}

impl Items for PtdDriver {
    fn list<'f>(&self, file: &'f [u8], _stem: &str, _: &Options) -> Vec<Item<'f>> {
        let Ok(ptd) = Ptd::parse(file) else { return Vec::new() };
        let mut items = segments(&ptd).unwrap_or_default();
        items.extend(entries(&ptd).unwrap_or_default());
        items
    }
}

impl Places for PtdDriver {
    fn magics(&self) -> &'static [[u8; 4]] {
        &[IDENTIFIER]
    }

    fn before_magic(&self) -> usize {
        4
    }

    fn prove(&self, file: &[u8], at: usize, options: &Options) -> Result<Container, u64> {
        embedded::prove(self, (file, at), options, extent, |ptd| Ptd::is_valid(ptd))
    }

    fn damage(&self, file: &[u8], at: usize, _: &Options) -> Option<Finding> {
        Ptd::validate_in(file, at..file.len(), ()).errors().next().cloned()
    }
}

impl Tensors for PtdDriver {
    fn tensors<'f>(&self, file: &'f [u8], _: &Options) -> Result<Vec<Tensor<'f>>, String> {
        tensors::shown(Ptd::parse(file).and_then(|ptd| ptd.tensors()))
    }
}

impl Build for PtdDriver {
    fn build<'f>(&self, tensors: &[Tensor<'f>]) -> Built<'f> {
        build::build(tensors)
    }
}

impl Summarize for PtdDriver {
    fn summarize(&self, file: &[u8], _: &Options) -> Result<Summary, String> {
        Ptd::parse(file).and_then(|it| it.summary()).map_err(|error| error.to_string())
    }
}

impl driver::Edit for PtdDriver {
    fn edit<'f>(
        &self,
        file: &'f [u8],
        edits: &Edits<'f>,
        out: &mut dyn Write,
    ) -> Result<(), Unmade> {
        let ptd = Ptd::parse(file).map_err(Unmade::because)?;
        if !edits.segments.is_empty() {
            let why = "segments of a `.ptd` belong to keys; --put changes what is behind one";
            return Err(Unmade::because(why));
        }
        let mut edit = Edit::new(&ptd).map_err(Unmade::because)?;
        let (weights, how) = tensors::weights(edits);
        edit.set_weights(&weights, how).map_err(tensors::refused)?;
        changed(&mut edit, edits).map_err(Unmade::because)?;
        Ok(edit.pieces(file).map_err(Unmade::because)?.write_to(out)?)
    }
}

impl Pack for PtdDriver {
    fn is_packed(&self, item: &Item<'_>) -> bool {
        item.kind != "segment"
    }

    fn pack(&self, packing: &Packing<'_>, out: &mut dyn Write) -> Result<(), Unmade> {
        pack::pack(packing, out)
    }
}

/// How far the file at the start of these bytes reaches: its header says so.
fn extent(rest: &[u8]) -> Option<Extent> {
    let ptd = Ptd::parse(rest).ok()?;
    Some(Extent { end: ptd.end()?, tables: ptd.tables.bytes().len() })
}

/// Changes what is said by keys.
fn changed<'f>(edit: &mut Edit<'f>, edits: &Edits<'f>) -> Result<(), EditError> {
    if edits.upgrade {
        edit.upgrade()?;
    }
    for key in &edits.drop {
        edit.drop_named(key)?;
    }
    for (key, bytes) in &edits.put {
        match edit.replace(key, *bytes) {
            Err(EditError::NoKey(_)) if edits.add => edit.add_blob(*key, *bytes)?,
            other => other?,
        }
    }
    match edits.align {
        Some(align) => edit.set_align(align),
        None => Ok(()),
    }
}

/// Every segment, empty and broken ones too.
fn segments<'f>(ptd: &Ptd<'f>) -> Result<Vec<Item<'f>>, Error> {
    let base = ptd.segment_base_offset;
    let segments = ptd.segments()?.iter().enumerate();
    let item = |(index, segment): (usize, Result<_, Error>)| {
        let segment = segment.ok()?;
        let bytes = ptd.segment(&segment);
        Some(Item {
            path: format!("tables.segments[{index}]"),
            kind: "segment".to_owned(),
            name: None,
            offset: base.saturating_add(*segment.offset),
            stored_size: *segment.size,
            columns: Vec::new(),
            details: Vec::new(),
            file_name: format!("segment-{index}.bin"),
            is_file: true,
            promised: None,
            payload: Box::new(move || stored(bytes)),
        })
    };
    Ok(segments.filter_map(item).collect())
}

/// An entry and where it lies in the declaration.
struct Found<'f> {
    path: String,
    /// Whether it is a tensor in a segment, as in the old schema, and not a name of a segment.
    inside: bool,
    entry: Entry<'f>,
}

impl Found<'_> {
    /// The path of the tensor: its own, or a part of that of its name.
    fn tensor_path(&self) -> String {
        if self.inside { self.path.clone() } else { format!("{}.tensor_layout", self.path) }
    }
}

/// Every entry that can be read.
fn found<'f>(ptd: &Ptd<'f>) -> Result<Vec<Found<'f>>, Error> {
    // The old schema has two vectors.
    let tensors = match ptd.tables.root()? {
        Tables::FlatTensor(_) => 0,
        Tables::FlatTensor06(root) => root.tensors.count(),
    };
    let found = |(entry, index): (Result<Entry<'f>, Error>, u64)| {
        let (path, inside) = match index.checked_sub(tensors) {
            Some(index) => (format!("tables.named_data[{index}]"), false),
            None => (format!("tables.tensors[{index}]"), true),
        };
        Some(Found { path, inside, entry: entry.ok()? })
    };
    Ok(ptd.entries()?.zip(0_u64..).filter_map(found).collect())
}

/// Every name, and then every tensor.
fn entries<'f>(ptd: &Ptd<'f>) -> Result<Vec<Item<'f>>, Error> {
    let all = found(ptd)?;
    let named = all.iter().filter(|found| !found.inside).map(|found| named(ptd, found));
    Ok(named.chain(all.iter().filter_map(tensor)).collect())
}

/// A name with its whole segment.
fn named<'f>(ptd: &Ptd<'f>, found: &Found<'f>) -> Item<'f> {
    let entry = &found.entry;
    let segments = ptd.segments().unwrap_or_default();
    let segment = segments.get(entry.segment_index.into()).and_then(Result::ok);
    let bytes = segment.as_ref().and_then(|segment| ptd.segment(segment));
    Item {
        path: found.path.clone(),
        kind: "named".to_owned(),
        name: Some(entry.key.as_bytes().to_vec()),
        offset: entry.offset,
        stored_size: segment.map_or(0, |segment| *segment.size),
        columns: vec![("segment", entry.segment_index.into())],
        details: Vec::new(),
        file_name: entry.key.to_owned(),
        is_file: true,
        promised: None,
        payload: Box::new(move || stored(bytes)),
    }
}

fn tensor<'f>(found: &Found<'f>) -> Option<Item<'f>> {
    let entry = &found.entry;
    let (layout, bytes) = (entry.layout.as_ref()?, entry.bytes);
    let shape: Vec<Value> = layout.sizes.iter().map_while(Result::ok).map(Value::from).collect();
    Some(Item {
        path: found.tensor_path(),
        kind: "tensor".to_owned(),
        name: Some(entry.key.as_bytes().to_vec()),
        offset: entry.offset,
        stored_size: bytes
            .map_or_else(|| layout.byte_len().unwrap_or(0), |bytes| json::wide(bytes.len())),
        columns: vec![
            ("segment", entry.segment_index.into()),
            ("dtype", layout.scalar_type.name().into()),
            ("shape", shape.into()),
        ],
        details: vec![("dim_order", layout.dim_order.to_vec().into())],
        file_name: format!("{}.{}", entry.key, layout.scalar_type.name()),
        is_file: true,
        promised: None,
        payload: Box::new(move || stored(bytes)),
    })
}
