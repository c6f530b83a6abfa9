//! Fat binaries from files of code.

use std::borrow::Cow;
use std::io::Write;

use binfmt_formats::fatbin::codec::Codec;
use binfmt_formats::fatbin::{Arch, Change, Draft, Flags, Kind, container, is_raw, rebuild};
use binfmt_tool::driver::{Fields, Packed, Packing, Unmade};

/// Writes a file with this code.
pub(super) fn pack(packing: &Packing<'_>, out: &mut dyn Write) -> Result<(), Unmade> {
    packing.settings.only(&[])?;
    let added = packing.added.iter().map(draft).collect::<Result<Vec<_>, _>>()?;
    let Some(file) = packing.template else {
        return Ok(out.write_all(&container(&added).map_err(Unmade::because)?)?);
    };
    if !is_raw(file).map_err(Unmade::because)? {
        let why = "code inside of another file can only be replaced where it is stored plain, by code of its length";
        return Err(Unmade::because(why));
    }
    let members = packing.dropped.iter().map(String::as_str);
    let members = members.chain(packing.changed.iter().map(|it| it.path));
    if let Some(path) = members.into_iter().find(|path| path.contains(".members[")) {
        let why = "code that members share cannot be changed";
        return Err(Unmade::because(format!("{path}: {why}")));
    }
    let mut change = |path: &str| {
        let changed = packing.changed.iter().find(|it| it.path == path);
        let dropped = packing.dropped.iter().any(|it| it == path).then_some(Change::Drop);
        changed.map(|it| Change::Code(Cow::Borrowed(it.bytes))).or(dropped)
    };
    let file = rebuild(file, &mut change, &added).map_err(Unmade::because)?;
    Ok(out.write_all(&file)?)
}

/// A new entry.
fn draft<'p>(new: &Packed<'p>) -> Result<Draft<'p>, Unmade> {
    let Packed { fields, bytes, .. } = new;
    fields.only(&[
        "kind",
        "name",
        "arch",
        "codec",
        "code_version",
        "debug",
        "obfuscated",
        "flags",
        "options",
    ])?;
    let arch: Arch = fields
        .text("arch")?
        .ok_or_else(|| fields.missing("arch"))?
        .parse()
        .map_err(|error| wrong(fields, &error))?;
    let mut draft = Draft::new(kind(fields)?, arch, *bytes);
    if let Some(name) = fields.text("codec")? {
        draft.codec = Codec::named(name)
            .ok_or_else(|| wrong(fields, &format!("there is no codec `{name}`")))?;
    }
    if let Some(flags) = fields.number("flags")? {
        draft.arch.flags |= Flags::from_bits_retain(flags);
    }
    if fields.flag("debug")? == Some(true) {
        draft.arch.flags |= Flags::DEBUG;
    }
    if fields.flag("obfuscated")? == Some(true) || draft.arch.flags.contains(Flags::OBFUSCATED) {
        return Err(wrong(fields, &"obfuscated code cannot be made"));
    }
    if let Some(version) = fields.text("code_version")? {
        draft.code_version = code_version(version)
            .ok_or_else(|| wrong(fields, &format!("`{version}` is no version such as `8.0`")))?;
    }
    draft.name = fields.text("name")?.map(|name| Cow::Borrowed(name.as_bytes()));
    draft.options = fields.text("options")?.map(|options| Cow::Borrowed(options.as_bytes()));
    Ok(draft)
}

fn wrong(fields: &Fields<'_>, what: &dyn ToString) -> Unmade {
    Unmade::because(format!("{}: {}", fields.name(), what.to_string()))
}

/// What the code is: as the manifest or the extension says.
fn kind(fields: &Fields<'_>) -> Result<Kind, Unmade> {
    let extension = || match fields.name().rsplit_once('.') {
        Some((_, "cubin")) => Some("elf"),
        Some((_, extension)) => Some(extension),
        None => None,
    };
    let name = fields.text("kind")?.or_else(extension);
    let kind = name.and_then(Kind::named).filter(|kind| *kind != Kind::Concat);
    kind.ok_or_else(|| {
        wrong(fields, &"its `kind` is none of `elf`, `ptx`, `reloc-ptx`, `nvvm` and `tile-ir`")
    })
}

fn code_version(text: &str) -> Option<(u16, u16)> {
    let (major, minor) = text.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
