//! Venice Program Tables.

mod args;
mod pack;

use std::borrow::Cow;
use std::io::Write;

use binfmt_formats::summary::Summary;
use binfmt_formats::vpt::{EntryLayout, Expect, MAGIC, Program, Table, Version, Vpt};
use binfmt_runtime::{BinFormat as _, Error, Events, Finding, Layout};

use binfmt_tool::clap::{Arg, ArgMatches, Args as _, Command, FromArgMatches as _};
use binfmt_tool::driver::{
    Checked, Configure, Container, Driver, Entry, Extras, Items, Options, Pack, Packing, Part,
    Places, Summarize, Unmade,
};
use binfmt_tool::item::{Item, offset_in};
use binfmt_tool::json::wide;
use binfmt_tool::{Format, driver};

use args::VptArgs;

/// Tables, and what is expected of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VptDriver {
    expect: Expect,
    /// The entry layout, if only one will do.
    layout: Option<EntryLayout>,
}

impl Default for VptDriver {
    fn default() -> Self {
        let version = Some(Version { major: 0, minor: 1 });
        Self { expect: Expect { version, vendor_id: None }, layout: None }
    }
}

impl Driver for VptDriver {
    fn name(&self) -> &'static str {
        "vpt"
    }

    fn layout(&self) -> &'static Layout {
        Vpt::LAYOUT
    }

    fn detect(&self, file: &[u8]) -> bool {
        file.starts_with(&MAGIC.to_le_bytes())
    }

    fn validate(&self, file: &[u8], _: &Options) -> Checked {
        let expect = self.expect;
        let report = match self.layout {
            Some(entries) => Table::validate_with(file, (expect, entries)),
            None => Vpt::validate_with(file, expect),
        };
        // The layout can be told although version or vendor do not fit.
        let layout = self.read(file).ok().map(|(vpt, _)| vpt.entries());
        Checked { variant: layout.map(|layout| variant(layout).to_owned()), report }
    }

    fn walk(&self, file: &[u8], part: &Part, _: &Options, events: &mut dyn Events) {
        let range = part.range.clone();
        match self.layout {
            Some(entries) => Table::inspect_in_into(file, range, (self.expect, entries), events),
            None => Vpt::inspect_in_into(file, range, self.expect, events),
        }
    }

    fn rewrite_to(&self, file: &[u8], _: &Options, out: &mut dyn Write) -> Result<(), Unmade> {
        let expect = self.expect;
        let behind = match self.layout {
            Some(entries) => {
                let args = (expect, entries);
                let table = Table::parse_prefix_with(file, args);
                let (table, behind) = table.map_err(Unmade::because)?;
                Unmade::by_writer(table.write_to_with(&mut *out, args))?;
                behind
            }
            None => {
                let vpt = Vpt::parse_prefix_with(file, expect);
                let (vpt, behind) = vpt.map_err(Unmade::because)?;
                Unmade::by_writer(vpt.write_to_with(&mut *out, expect))?;
                behind
            }
        };
        // Bytes behind the table are not part of it, and are kept.
        Ok(out.write_all(behind)?)
    }

    fn extras(&self) -> Extras<'_> {
        Extras {
            configure: Some(self),
            items: Some(self),
            places: Some(self),
            summarize: Some(self),
            pack: Some(self),
            ..Extras::default()
        }
    }
}

impl Configure for VptDriver {
    fn args(&self) -> Vec<Arg> {
        let command = VptArgs::augment_args(Command::new("vpt"));
        command.get_arguments().cloned().collect()
    }

    fn configured(&self, matches: &ArgMatches) -> Option<Format> {
        let args = VptArgs::from_arg_matches(matches).ok()?;
        Some(driver(Self { expect: args.expect(), layout: args.layout() }))
    }
}

impl Items for VptDriver {
    fn list<'f>(&self, file: &'f [u8], _stem: &str, _: &Options) -> Vec<Item<'f>> {
        let Ok((vpt, _)) = self.read(file) else { return Vec::new() };
        let programs = vpt.table().programs.iter().map_while(Result::ok);
        programs.enumerate().map(|(index, program)| item(file, index, &program)).collect()
    }
}

impl Places for VptDriver {
    fn magics(&self) -> &'static [[u8; 4]] {
        const BYTES: [u8; 4] = MAGIC.to_le_bytes();
        &[BYTES]
    }

    fn damage(&self, file: &[u8], at: usize, _: &Options) -> Option<Finding> {
        let range = at..file.len();
        let report = match self.layout {
            Some(layout) => Table::validate_in(file, range, (self.expect, layout)),
            None => Vpt::validate_in(file, range, self.expect),
        };
        report.errors().next().cloned()
    }

    fn prove(&self, file: &[u8], at: usize, _: &Options) -> Result<Container, u64> {
        let rest = file.get(at..).unwrap_or_default();
        let args = self.expect;
        let layouts = match self.layout {
            Some(layout) => vec![layout],
            None => vec![EntryLayout::Plain, EntryLayout::Flagged],
        };
        let mut steps = 0;
        for layout in layouts {
            match walk(file, rest, (args, layout)) {
                Ok((entries, len)) => return Ok(Container { range: at..at + len, entries }),
                Err(walked) => steps += walked,
            }
        }
        Err(steps)
    }
}

impl Summarize for VptDriver {
    fn summarize(&self, file: &[u8], _: &Options) -> Result<Summary, String> {
        let summary = self.read(file).and_then(|(vpt, _)| vpt.summary(file));
        summary.map_err(|error| error.to_string())
    }
}

impl Pack for VptDriver {
    fn pack(&self, packing: &Packing<'_>, out: &mut dyn Write) -> Result<(), Unmade> {
        let template = packing.template.map(|file| self.read(file));
        let template = template.transpose().map_err(Unmade::because)?;
        pack::pack(packing, template, out)
    }
}

impl VptDriver {
    /// Reads a table of any version and vendor, and what is behind it.
    fn read<'f>(&self, file: &'f [u8]) -> Result<(Vpt<'f>, &'f [u8]), Error> {
        match self.layout {
            None => Vpt::parse_prefix_with(file, Expect::ANY),
            Some(entries) => {
                let (table, behind) = Table::parse_prefix_with(file, (Expect::ANY, entries))?;
                Ok(match entries {
                    EntryLayout::Plain => (Vpt::Plain(table), behind),
                    EntryLayout::Flagged => (Vpt::Flagged(table), behind),
                })
            }
        }
    }
}

/// The entries and the length of a table, or how far the walk came.
fn walk(
    file: &[u8],
    bytes: &[u8],
    (expect, layout): (Expect, EntryLayout),
) -> Result<(Vec<Entry>, usize), u64> {
    let (table, behind) = Table::parse_prefix_with(bytes, (expect, layout)).map_err(|_| 1_u64)?;
    let mut entries = Vec::new();
    for program in &table.programs {
        let payload = program.map(|program| program.payload);
        let payload = payload.map_err(|_| 1 + wide(entries.len()))?;
        let len = wide(payload.len());
        entries.push(Entry {
            kind: "program".to_owned(),
            arch: String::new(),
            offset: offset_in(file, payload),
            stored: len,
            decoded: Some(len),
        });
    }
    Ok((entries, bytes.len() - behind.len()))
}

/// The name of a layout, as `--vpt-entries` takes it.
fn variant(layout: EntryLayout) -> &'static str {
    match layout {
        EntryLayout::Plain => "plain",
        EntryLayout::Flagged => "flagged",
    }
}

fn item<'f>(file: &'f [u8], index: usize, program: &Program<'f>) -> Item<'f> {
    let payload = program.payload;
    Item {
        path: format!("programs[{index}]"),
        kind: "program".to_owned(),
        name: Some(program.name.to_vec()),
        offset: offset_in(file, payload),
        stored_size: wide(payload.len()),
        columns: vec![("package", program.is_package().into())],
        details: Vec::new(),
        file_name: String::from_utf8_lossy(program.name).into_owned(),
        is_file: true,
        promised: None,
        payload: Box::new(move || Ok(Cow::Borrowed(payload))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: Options = Options { decode: true, max_decoded: 1 << 20 };

    const DRIVER: VptDriver = VptDriver {
        expect: Expect { version: Some(Version { major: 0, minor: 1 }), vendor_id: None },
        layout: None,
    };

    /// A table with one program, `main`, of 3 bytes, without and with flags.
    fn tables() -> [Vec<u8>; 2] {
        let plain = [Program::plain(b"main", b"abc")];
        let flagged =
            [Program::flagged(b"main", b"abc", binfmt_formats::vpt::ProgramFlags::PACKAGE)];
        [
            Table::new(7, &plain).to_vec_with((Expect::ANY, EntryLayout::Plain)).unwrap(),
            Table::new(7, &flagged).to_vec_with((Expect::ANY, EntryLayout::Flagged)).unwrap(),
        ]
    }

    #[test]
    fn both_layouts_are_told_apart() {
        let [plain, flagged] = tables();
        for (table, variant, offset, package) in
            [(plain, "plain", 32, None), (flagged, "flagged", 40, Some(true))]
        {
            let checked = DRIVER.validate(&table, &OPTIONS);
            assert_eq!((checked.verdict(), checked.variant.as_deref()), ("valid", Some(variant)));
            let items = DRIVER.list(&table, "x", &OPTIONS);
            let [item] = items.as_slice() else { panic!("one item") };
            assert_eq!((item.offset, item.file_name.as_str()), (offset, "main"));
            assert_eq!(item.columns, [("package", package.into())]);
        }
    }

    #[test]
    fn bytes_behind_the_table_are_kept() {
        for table in tables() {
            let file = [&table[..], b"behind"].concat();
            assert_eq!(DRIVER.rewrite(&file, &OPTIONS), Ok(file));
        }
    }

    #[test]
    fn containers_are_proven_to_their_end() {
        for table in tables() {
            let file = [b"....", &table[..], b"behind"].concat();
            let container = DRIVER.prove(&file, 4, &OPTIONS).unwrap();
            assert_eq!(container.range, 4..4 + table.len());
            assert_eq!(container.entries.len(), 1);
            assert!(DRIVER.prove(&file[..4 + table.len() - 1], 4, &OPTIONS).is_err());
        }
    }

    #[test]
    fn another_vendor_is_an_error_but_is_listed() {
        let [table, _] = tables();
        let expect = Expect { vendor_id: Some(8), ..DRIVER.expect };
        let driver = VptDriver { expect, ..DRIVER };
        assert_eq!(driver.validate(&table, &OPTIONS).verdict(), "invalid");
        assert_eq!(driver.list(&table, "x", &OPTIONS).len(), 1);
        assert!(driver.rewrite(&table, &OPTIONS).is_err());
    }
}
