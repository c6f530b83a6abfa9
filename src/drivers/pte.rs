//! `ExecuTorch` programs, and bundles of them.

mod constants;
mod edit;
mod items;
mod methods;
mod sizes;

use std::borrow::Cow;
use std::io::Write;

use binfmt_formats::pte::{self, Bundle, MAGIC, Pte, bundle};
use binfmt_formats::summary::Summary;
use binfmt_runtime::{BinFormat as _, Events, Finding, Layout, Rule};
use serde_json::Value;

use super::embedded::{self, Extent};
use super::tensors;
use binfmt_tool::Edits;
use binfmt_tool::Tensor;
use binfmt_tool::driver::{
    Checked, Container, Driver, Edit, Extras, Items, Options, Part, Places, Summarize, Tensors,
    Unmade,
};
use binfmt_tool::item::{Item, offset_in};
use binfmt_tool::json::wide;

#[derive(Debug)]
pub(crate) struct PteDriver;

impl Driver for PteDriver {
    fn name(&self) -> &'static str {
        "pte"
    }

    fn layout(&self) -> &'static Layout {
        Pte::LAYOUT
    }

    fn rules(&self) -> Vec<&'static [Rule]> {
        vec![pte::RULES]
    }

    fn detect(&self, file: &[u8]) -> bool {
        Pte::is_meant(file)
    }

    fn validate(&self, file: &[u8], _: &Options) -> Checked {
        let variant = match Pte::parse(file) {
            Ok(Pte::Extended(header)) => Some(format!("header-{}", header.header_len)),
            Ok(Pte::Bare(_)) => Some("no-header".to_owned()),
            Err(_) => None,
        };
        Checked { variant, report: Pte::validate(file) }
    }

    fn walk(&self, file: &[u8], part: &Part, _: &Options, events: &mut dyn Events) {
        Pte::inspect_in_into(file, part.range.clone(), (), events);
    }

    fn rewrite_to(&self, file: &[u8], _: &Options, out: &mut dyn Write) -> Result<(), Unmade> {
        Unmade::by_writer(Pte::parse(file).map_err(Unmade::because)?.write_to(out))
    }

    fn extras(&self) -> Extras<'_> {
        Extras {
            items: Some(self),
            places: Some(self),
            tensors: Some(self),
            summarize: Some(self),
            edit: Some(self),
            ..Extras::default()
        }
    }
}

impl Items for PteDriver {
    fn list<'f>(&self, file: &'f [u8], _stem: &str, _: &Options) -> Vec<Item<'f>> {
        let Ok(pte) = Pte::parse(file) else { return Vec::new() };
        items::items(file, &pte).unwrap_or_default()
    }

    fn totals(&self, file: &[u8], _: &Options) -> Vec<(&'static str, Value)> {
        Pte::parse(file).ok().and_then(|pte| sizes::summary(file, &pte).ok()).unwrap_or_default()
    }
}

impl Places for PteDriver {
    fn magics(&self) -> &'static [[u8; 4]] {
        &[MAGIC]
    }

    fn before_magic(&self) -> usize {
        4
    }

    fn prove(&self, file: &[u8], at: usize, options: &Options) -> Result<Container, u64> {
        embedded::prove(
            self,
            (file, at),
            options,
            |rest| extent(rest, at),
            |pte| Pte::is_valid(pte),
        )
    }

    fn damage(&self, file: &[u8], at: usize, _: &Options) -> Option<Finding> {
        Pte::validate_in(file, at..file.len(), ()).errors().next().cloned()
    }
}

impl Tensors for PteDriver {
    fn tensors<'f>(&self, file: &'f [u8], _: &Options) -> Result<Vec<Tensor<'f>>, String> {
        tensors::shown(Pte::parse(file).and_then(|pte| pte.tensors()))
    }

    fn closed(&self, file: &[u8]) -> Vec<String> {
        Pte::parse(file).map_or_else(|_| Vec::new(), |pte| items::closed(file, &pte))
    }
}

impl Summarize for PteDriver {
    fn summarize(&self, file: &[u8], _: &Options) -> Result<Summary, String> {
        Pte::parse(file).and_then(|it| it.summary()).map_err(|error| error.to_string())
    }
}

impl Edit for PteDriver {
    fn edit<'f>(
        &self,
        file: &'f [u8],
        edits: &Edits<'f>,
        out: &mut dyn Write,
    ) -> Result<(), Unmade> {
        edit::edit(file, edits, out)
    }
}

/// How far the program at the start of these bytes reaches. One without a header does not say so, and
/// is found where it is a file of its own.
fn extent(rest: &[u8], at: usize) -> Option<Extent> {
    let pte = Pte::parse(rest).ok()?;
    let tables = pte.buffer().bytes().len();
    let end = pte.end().or_else(|| (at == 0 && pte.header().is_none()).then(|| wide(rest.len())));
    Some(Extent { end: end?, tables })
}

#[derive(Debug)]
pub(crate) struct BpteDriver;

impl Driver for BpteDriver {
    fn name(&self) -> &'static str {
        "bpte"
    }

    fn layout(&self) -> &'static Layout {
        Bundle::LAYOUT
    }

    fn rules(&self) -> Vec<&'static [Rule]> {
        vec![bundle::RULES]
    }

    fn detect(&self, file: &[u8]) -> bool {
        Bundle::is_meant(file)
    }

    fn validate(&self, file: &[u8], _: &Options) -> Checked {
        Checked { variant: None, report: Bundle::validate(file) }
    }

    fn walk(&self, file: &[u8], part: &Part, _: &Options, events: &mut dyn Events) {
        Bundle::inspect_in_into(file, part.range.clone(), (), events);
    }

    fn rewrite_to(&self, file: &[u8], _: &Options, out: &mut dyn Write) -> Result<(), Unmade> {
        Unmade::by_writer(Bundle::parse(file).map_err(Unmade::because)?.write_to(out))
    }

    fn extras(&self) -> Extras<'_> {
        Extras { items: Some(self), summarize: Some(self), ..Extras::default() }
    }
}

impl Items for BpteDriver {
    fn list<'f>(&self, file: &'f [u8], stem: &str, _: &Options) -> Vec<Item<'f>> {
        let program = Bundle::parse(file).ok().and_then(|bundle| bundle.program());
        let item = program.map(|program| Item {
            path: "tables.program".to_owned(),
            kind: "program".to_owned(),
            name: None,
            offset: offset_in(file, program),
            stored_size: wide(program.len()),
            columns: Vec::new(),
            details: Vec::new(),
            file_name: format!("{stem}.pte"),
            is_file: true,
            promised: None,
            payload: Box::new(move || Ok(Cow::Borrowed(program))),
        });
        item.into_iter().collect()
    }
}

impl Summarize for BpteDriver {
    fn summarize(&self, file: &[u8], _: &Options) -> Result<Summary, String> {
        Bundle::parse(file).and_then(|it| it.summary()).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests;
