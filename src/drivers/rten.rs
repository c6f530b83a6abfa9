//! `RTen` models.

mod edit;
mod items;
mod summary;

use std::io::Write;

use binfmt_formats::pieces::Pieces;
use binfmt_formats::rten::{self, Rten};
use binfmt_formats::summary::Summary;
use binfmt_runtime::{BinFormat as _, Events, Finding, Layout, Rule};
use serde_json::Value;

use super::embedded::{self, Extent};
use super::tensors;
use binfmt_tool::Edits;
use binfmt_tool::Tensor;
use binfmt_tool::driver::{
    Change, Checked, Container, Driver, Edit, Extras, Items, Metadata, Options, Pack, Packing,
    Part, Places, Summarize, Tensors, Text, Unmade, Versions,
};
use binfmt_tool::item::Item;

#[derive(Debug)]
pub(crate) struct RtenDriver;

impl Driver for RtenDriver {
    fn name(&self) -> &'static str {
        "rten"
    }

    fn layout(&self) -> &'static Layout {
        Rten::LAYOUT
    }

    fn rules(&self) -> Vec<&'static [Rule]> {
        vec![rten::RULES]
    }

    fn detect(&self, file: &[u8]) -> bool {
        Rten::meant_version(file).is_some()
    }

    fn validate(&self, file: &[u8], _: &Options) -> Checked {
        let variant = if file.starts_with(&rten::MAGIC) {
            Some("v2")
        } else {
            Rten::parse(file).is_ok().then_some("v1")
        };
        Checked { variant: variant.map(str::to_owned), report: Rten::validate(file) }
    }

    fn walk(&self, file: &[u8], part: &Part, _: &Options, events: &mut dyn Events) {
        Rten::inspect_in_into(file, part.range.clone(), (), events);
    }

    fn rewrite_to(&self, file: &[u8], _: &Options, out: &mut dyn Write) -> Result<(), Unmade> {
        Unmade::by_writer(Rten::parse(file).map_err(Unmade::because)?.write_to(out))
    }

    fn extras(&self) -> Extras<'_> {
        Extras {
            items: Some(self),
            places: Some(self),
            tensors: Some(self),
            summarize: Some(self),
            metadata: Some(self),
            versions: Some(self),
            edit: Some(self),
            pack: Some(self),
            ..Extras::default()
        }
    }
}

impl Items for RtenDriver {
    fn list<'f>(&self, file: &'f [u8], _stem: &str, _: &Options) -> Vec<Item<'f>> {
        Rten::parse(file).map_or_else(|_| Vec::new(), |rten| items::items(&rten))
    }

    fn totals(&self, file: &[u8], _: &Options) -> Vec<(&'static str, Value)> {
        Rten::parse(file).map_or_else(|_| Vec::new(), |rten| summary::summary(file, &rten))
    }
}

impl Places for RtenDriver {
    fn magics(&self) -> &'static [[u8; 4]] {
        &[rten::MAGIC]
    }

    fn prove(&self, file: &[u8], at: usize, options: &Options) -> Result<Container, u64> {
        embedded::prove(self, (file, at), options, extent, |rten| Rten::is_valid(rten))
    }

    fn damage(&self, file: &[u8], at: usize, _: &Options) -> Option<Finding> {
        Rten::validate_in(file, at..file.len(), ()).errors().next().cloned()
    }
}

impl Tensors for RtenDriver {
    fn tensors<'f>(&self, file: &'f [u8], _: &Options) -> Result<Vec<Tensor<'f>>, String> {
        tensors::shown(Rten::parse(file).and_then(|rten| rten.tensors()))
    }
}

impl Summarize for RtenDriver {
    fn summarize(&self, file: &[u8], _: &Options) -> Result<Summary, String> {
        Rten::parse(file).and_then(|it| it.summary()).map_err(|error| error.to_string())
    }
}

impl Metadata for RtenDriver {
    fn metadata<'f>(&self, file: &'f [u8]) -> Vec<Text<'f>> {
        edit::metadata(file).texts().to_vec()
    }

    fn with_metadata<'f>(
        &self,
        file: &'f [u8],
        changes: &[Change<'_>],
    ) -> Result<Pieces<'f>, String> {
        edit::with_metadata(file, changes)
    }
}

impl Versions for RtenDriver {
    fn versions(&self) -> &'static [(&'static str, &'static str)] {
        &[
            (
                "rten1",
                "RTen model of version 1, without a header: all constants lie inside the graph",
            ),
            ("rten2", "RTen model of version 2: larger constants lie in a section of their own"),
        ]
    }

    fn to_version<'f>(&self, file: &'f [u8], target: &str) -> Result<Pieces<'f>, String> {
        edit::to_version(file, target)
    }
}

impl Edit for RtenDriver {
    fn edit<'f>(
        &self,
        file: &'f [u8],
        edits: &Edits<'f>,
        out: &mut dyn Write,
    ) -> Result<(), Unmade> {
        edit::edit(file, edits, out)
    }
}

impl Pack for RtenDriver {
    fn pack(&self, packing: &Packing<'_>, out: &mut dyn Write) -> Result<(), Unmade> {
        edit::pack(packing, out)
    }
}

/// How far the model at the start of these bytes reaches: to the end of its last constant.
fn extent(rest: &[u8]) -> Option<Extent> {
    let rten = Rten::parse(rest).ok()?;
    Some(Extent { end: rten.end()?, tables: rten.model().bytes().len() })
}
