//! Tables from files of programs.

use std::io::Write;

use binfmt_formats::vpt::{
    Change, EntryLayout, Expect, Program, ProgramFlags, Table, VERSION, Version, Vpt,
};
use binfmt_runtime::BinFormat as _;
use binfmt_tool::driver::{Fields, Packed, Packing, Unmade};

/// Writes a table with these programs; `template` is the one that they were taken from, and what
/// follows it.
pub(super) fn pack(
    packing: &Packing<'_>,
    template: Option<(Vpt<'_>, &[u8])>,
    out: &mut dyn Write,
) -> Result<(), Unmade> {
    let Some((table, behind)) = template else { return scratch(packing, out) };
    packing.settings.only(&[])?;
    let added = programs(&packing.added, table.entries())?;
    let mut change = |index: u64| {
        let path = format!("programs[{index}]");
        let changed = packing.changed.iter().find(|it| it.path == path);
        let dropped = packing.dropped.contains(&path).then_some(Change::Drop);
        changed.map(|it| Change::Payload(it.bytes)).or(dropped)
    };
    let file = table.rebuilt(&mut change, &added).map_err(Unmade::because)?;
    out.write_all(&file)?;
    Ok(out.write_all(behind)?)
}

fn scratch(packing: &Packing<'_>, out: &mut dyn Write) -> Result<(), Unmade> {
    let settings = packing.settings;
    settings.only(&["vendor", "version", "layout"])?;
    let vendor = settings.number("vendor")?.ok_or_else(|| settings.missing("vendor"))?;
    let vendor = u32::try_from(vendor).map_err(|_| wrong(&settings, "vendor"))?;
    let layout = match settings.text("layout")? {
        Some("plain") => EntryLayout::Plain,
        Some("flagged") => EntryLayout::Flagged,
        Some(_) => return Err(wrong(&settings, "layout")),
        None => told(&packing.added)?,
    };
    let programs = programs(&packing.added, layout)?;
    let version = version(&settings)?;
    let mut table = Table::new(vendor, &programs);
    table.version = version;
    let file = table.to_vec_with((Expect::ANY, layout)).map_err(Unmade::because)?;
    Ok(out.write_all(&file)?)
}

fn wrong(fields: &Fields<'_>, key: &str) -> Unmade {
    let known = match key {
        "layout" => "`plain` or `flagged`",
        "version" => "a version such as `0.1`",
        _ => "a number of 32 bits",
    };
    Unmade::because(format!("{}: `{key}` is not {known}", fields.name()))
}

/// The layout that programs need: with flags, if one says whether it is a package.
fn told(programs: &[Packed<'_>]) -> Result<EntryLayout, Unmade> {
    for program in programs {
        if program.fields.flag("package")?.is_some() {
            return Ok(EntryLayout::Flagged);
        }
    }
    Ok(EntryLayout::Plain)
}

fn version(settings: &Fields<'_>) -> Result<Version, Unmade> {
    let Some(text) = settings.text("version")? else { return Ok(VERSION) };
    let parts = text.split_once('.');
    let parts = parts.and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
    let (major, minor) = parts.ok_or_else(|| wrong(settings, "version"))?;
    Ok(Version { major, minor })
}

fn programs<'p>(added: &[Packed<'p>], layout: EntryLayout) -> Result<Vec<Program<'p>>, Unmade> {
    let program = |Packed { fields, bytes, .. }: &Packed<'p>| {
        fields.only(&["kind", "name", "package"])?;
        let name = fields.text("name")?.ok_or_else(|| fields.missing("name"))?.as_bytes();
        let package = fields.flag("package")?;
        if !layout.has_flags() {
            return match package {
                None => Ok(Program::plain(name, bytes)),
                Some(_) => Err(Unmade::because(format!(
                    "{}: the layout of the table has no place for `package`",
                    fields.name()
                ))),
            };
        }
        let package = package.unwrap_or(false);
        let flags = if package { ProgramFlags::PACKAGE } else { ProgramFlags::empty() };
        Ok(Program::flagged(name, bytes, flags))
    };
    added.iter().map(program).collect()
}
