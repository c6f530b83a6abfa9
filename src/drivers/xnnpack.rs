//! Payloads of delegates for XNNPACK, taken out of a program.

use std::io::Write;

use binfmt_formats::pte::xnnpack::{self, Constant, Place, Xnnpack};
use binfmt_formats::summary::Summary;
use binfmt_runtime::{BinFormat as _, Events, Layout, Rule};
use binfmt_tool::driver::{Checked, Driver, Extras, Items, Options, Part, Summarize, Unmade};
use binfmt_tool::item::{Item, offset_in, stored};
use binfmt_tool::json::wide;

#[derive(Debug)]
pub(crate) struct XnnpackDriver;

impl Driver for XnnpackDriver {
    fn name(&self) -> &'static str {
        "xnnpack"
    }

    fn layout(&self) -> &'static Layout {
        Xnnpack::LAYOUT
    }

    fn rules(&self) -> Vec<&'static [Rule]> {
        vec![xnnpack::RULES]
    }

    fn detect(&self, file: &[u8]) -> bool {
        Xnnpack::is_meant(file)
    }

    fn validate(&self, file: &[u8], _: &Options) -> Checked {
        let variant = match Xnnpack::parse(file) {
            Ok(Xnnpack::Headed(_)) => Some("header".to_owned()),
            Ok(Xnnpack::Bare(_)) => Some("no-header".to_owned()),
            Err(_) => None,
        };
        Checked { variant, report: Xnnpack::validate(file) }
    }

    fn walk(&self, file: &[u8], part: &Part, _: &Options, events: &mut dyn Events) {
        Xnnpack::inspect_in_into(file, part.range.clone(), (), events);
    }

    fn rewrite_to(&self, file: &[u8], _: &Options, out: &mut dyn Write) -> Result<(), Unmade> {
        Unmade::by_writer(Xnnpack::parse(file).map_err(Unmade::because)?.write_to(out))
    }

    fn extras(&self) -> Extras<'_> {
        Extras { items: Some(self), summarize: Some(self), ..Extras::default() }
    }
}

impl Items for XnnpackDriver {
    fn list<'f>(&self, file: &'f [u8], _: &str, _: &Options) -> Vec<Item<'f>> {
        let constants = Xnnpack::parse(file).and_then(|payload| payload.constants());
        let constants = constants.unwrap_or_default();
        constants.iter().map(|constant| item(file, constant)).collect()
    }
}

impl Summarize for XnnpackDriver {
    fn summarize(&self, file: &[u8], _: &Options) -> Result<Summary, String> {
        Xnnpack::parse(file).and_then(|it| it.summary(file)).map_err(|error| error.to_string())
    }
}

fn item<'f>(file: &'f [u8], constant: &Constant<'f>) -> Item<'f> {
    let (bytes, key) = match constant.place {
        Place::Payload { bytes } => (bytes, None),
        Place::Named { key, .. } => (None, Some(key)),
    };
    let dtype = constant.datatype.name();
    Item {
        path: format!("graph.values[{}]", constant.value),
        kind: "constant".to_owned(),
        name: key.map(|key| key.as_bytes().to_vec()),
        offset: bytes.map_or(0, |bytes| offset_in(file, bytes)),
        stored_size: bytes.map_or(0, |bytes| wide(bytes.len())),
        columns: vec![
            ("location", if key.is_some() { "named" } else { "payload" }.into()),
            ("dtype", dtype.into()),
            ("shape", constant.shape.clone().into()),
        ],
        details: Vec::new(),
        file_name: format!("value-{}.{dtype}", constant.id),
        // What has a key lies in the program around the payload.
        is_file: key.is_none(),
        promised: None,
        payload: Box::new(move || if key.is_some() { Ok((&[][..]).into()) } else { stored(bytes) }),
    }
}
