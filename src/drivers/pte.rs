//! `ExecuTorch` programs, and bundles of them.

mod edit;
mod items;
mod methods;
mod sizes;
mod tensors;

use std::borrow::Cow;

use binfmt_formats::pte::{Bundle, HEADER_MAGIC, MAGIC, Pte, bundle};
use binfmt_runtime::{BinFormat as _, Layout};
use serde_json::Value;

use crate::driver::{Checked, Driver, Options, Part};
use crate::edit::Edits;
use crate::item::{Item, offset_in};
use crate::json::wide;
use crate::tensor::Tensor;

#[derive(Debug)]
pub(crate) struct PteDriver;

impl Driver for PteDriver {
    fn name(&self) -> &'static str {
        "pte"
    }

    fn layout(&self) -> &'static Layout {
        Pte::LAYOUT
    }

    /// Either magic will do: if the other one is damaged, the user should hear about that.
    fn detect(&self, file: &[u8]) -> bool {
        let begins = |at: usize, magic: [u8; 4]| {
            file.get(at..).is_some_and(|rest| rest.starts_with(&magic[..2]))
        };
        begins(4, MAGIC) || file.get(8..).is_some_and(|rest| rest.starts_with(&HEADER_MAGIC))
    }

    fn validate(&self, file: &[u8], _: &Options) -> Checked {
        let variant = match Pte::parse(file) {
            Ok(Pte::Extended(header)) => Some(format!("header-{}", header.header_len)),
            Ok(Pte::Bare(_)) => Some("no-header".to_owned()),
            Err(_) => None,
        };
        Checked { variant, report: Pte::validate(file) }
    }

    fn inspect(&self, file: &[u8], _: &Options) -> Vec<Part> {
        vec![Part { name: String::new(), tree: Pte::inspect(file) }]
    }

    fn list<'f>(&self, file: &'f [u8], _stem: &str, _: &Options) -> Vec<Item<'f>> {
        let Ok(pte) = Pte::parse(file) else { return Vec::new() };
        items::items(file, &pte).unwrap_or_default()
    }

    fn tensors<'f>(&self, file: &'f [u8], _: &Options) -> Vec<Tensor<'f>> {
        let Ok(pte) = Pte::parse(file) else { return Vec::new() };
        tensors::tensors(file, &pte).unwrap_or_default()
    }

    fn has_tensors(&self) -> bool {
        true
    }

    fn edit<'f>(&self, file: &'f [u8], edits: &Edits<'f>) -> Result<Vec<u8>, String> {
        let pte = Pte::parse(file).map_err(|error| error.to_string())?;
        edit::edited(&pte, edits).map_err(|error| error.to_string())
    }

    fn summary(&self, file: &[u8], _: &Options) -> Vec<(&'static str, Value)> {
        Pte::parse(file).ok().and_then(|pte| sizes::summary(file, &pte).ok()).unwrap_or_default()
    }

    fn rewrite(&self, file: &[u8], _: &Options) -> Result<Vec<u8>, String> {
        Pte::parse(file).and_then(|pte| pte.to_vec()).map_err(|error| error.to_string())
    }
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

    fn detect(&self, file: &[u8]) -> bool {
        file.get(4..).is_some_and(|rest| rest.starts_with(&bundle::MAGIC))
    }

    fn validate(&self, file: &[u8], _: &Options) -> Checked {
        Checked { variant: None, report: Bundle::validate(file) }
    }

    fn inspect(&self, file: &[u8], _: &Options) -> Vec<Part> {
        vec![Part { name: String::new(), tree: Bundle::inspect(file) }]
    }

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
            payload: Box::new(move || Ok(Cow::Borrowed(program))),
        });
        item.into_iter().collect()
    }

    fn rewrite(&self, file: &[u8], _: &Options) -> Result<Vec<u8>, String> {
        Bundle::parse(file).and_then(|bundle| bundle.to_vec()).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests;
