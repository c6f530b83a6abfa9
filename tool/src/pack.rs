//! `binfmt pack`: the way back from `extract --manifest`.

mod manifest;

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::driver::{Driver, Options, Unmade};
use crate::input::Input;
use crate::item::Item;
use crate::output::{self, Out, Outcome, Trouble, printable};
use crate::toolbox::Toolbox;
use crate::verb::Verb;
use crate::{stream, validate};

pub(crate) use manifest::{MANIFEST, TEMPLATE, exists, write};
use manifest::{Manifest, Planned};

/// Make a file from a folder with a manifest
///
/// `extract --manifest` writes such a folder. Unchanged it gives the same bytes; a changed file changes
/// what it was taken from, and nothing else. An item that is taken out of `manifest.json` goes, one
/// without `path` is new. Without `template`, all items are, and the file is made from scratch: fat
/// binaries from cubins and PTX, tables of programs, and tensor data.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  binfmt extract --manifest kernels.fatbin -o folder
  binfmt pack folder -o kernels.new.fatbin

Manifests for files from scratch:
  {\"format\": \"fatbin\", \"items\": [
    {\"file\": \"k.cubin\", \"arch\": \"sm_90a\", \"codec\": \"zstd\", \"name\": \"k.cu\"},
    {\"file\": \"k.ptx\", \"arch\": \"sm_90\", \"code_version\": \"8.0\"}]}
  {\"format\": \"vpt\", \"vendor\": 1, \"items\": [
    {\"file\": \"main.bin\", \"name\": \"main\", \"package\": true}]}
  {\"format\": \"ptd\", \"items\": [
    {\"file\": \"bias.bin\", \"name\": \"fc.bias\", \"dtype\": \"f32\", \"shape\": [8]}]}

Exit codes:
  0  written
  1  the folder does not make a file without errors; nothing is written
  2  wrong usage, or a file that cannot be read or written")]
struct PackArgs {
    /// The folder with `manifest.json`
    dir: PathBuf,
    /// The file to write, or `-` for standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    #[command(flatten)]
    read: crate::args::ReadArgs,
}

/// What a file is made of.
#[derive(Debug)]
pub struct Packing<'p> {
    /// The file that items were taken from, with the new bytes of those that keep their length.
    pub template: Option<&'p [u8]>,
    /// Items of it that have other bytes.
    pub changed: Vec<Packed<'p>>,
    /// The paths of items of it that go.
    pub dropped: Vec<String>,
    /// New items.
    pub added: Vec<Packed<'p>>,
    /// What the manifest says about the file as a whole.
    pub settings: Fields<'p>,
}

/// An item of a file that is made.
#[derive(Debug)]
pub struct Packed<'p> {
    /// What the manifest says about it.
    pub fields: Fields<'p>,
    /// Where it lay in the template; empty for a new one.
    pub path: &'p str,
    /// Its bytes.
    pub bytes: &'p [u8],
}

/// What a manifest says about something.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'p> {
    of: &'p Map<String, Value>,
    name: &'p str,
}

impl<'p> Fields<'p> {
    /// What the manifest calls it in messages: the file of an item.
    pub fn name(&self) -> &'p str {
        self.name
    }

    /// A text; `None` if it is not there or null.
    pub fn text(&self, key: &str) -> Result<Option<&'p str>, Unmade> {
        match self.of.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(self.wrong(key, "a text")),
        }
    }

    /// A number, or a text that is one; `None` if it is not there or null.
    pub fn number(&self, key: &str) -> Result<Option<u64>, Unmade> {
        let parsed = |text: &str| match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        };
        match self.of.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => {
                parsed(text).map(Some).ok_or_else(|| self.wrong(key, "a number"))
            }
            Some(value) => value.as_u64().map(Some).ok_or_else(|| self.wrong(key, "a number")),
        }
    }

    /// A truth value; `None` if it is not there or null.
    pub fn flag(&self, key: &str) -> Result<Option<bool>, Unmade> {
        match self.of.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => {
                value.as_bool().map(Some).ok_or_else(|| self.wrong(key, "true or false"))
            }
        }
    }

    /// A list of numbers; `None` if it is not there or null.
    pub fn numbers(&self, key: &str) -> Result<Option<Vec<u64>>, Unmade> {
        match self.of.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Array(list)) => {
                let numbers = list.iter().map(Value::as_u64).collect::<Option<_>>();
                numbers.map(Some).ok_or_else(|| self.wrong(key, "a list of numbers"))
            }
            Some(_) => Err(self.wrong(key, "a list of numbers")),
        }
    }

    /// Refuses what nobody reads: a misspelt key would be lost.
    pub fn only(&self, keys: &[&str]) -> Result<(), Unmade> {
        match self.of.keys().find(|key| !keys.contains(&key.as_str())) {
            None => Ok(()),
            Some(key) => Err(Unmade::because(format!(
                "{}: `{key}` has no meaning here; there are `{}`",
                self.name,
                keys.join("`, `")
            ))),
        }
    }

    /// What is missing.
    pub fn missing(&self, key: &str) -> Unmade {
        Unmade::because(format!("{}: `{key}` is missing", self.name))
    }

    fn wrong(&self, key: &str, what: &str) -> Unmade {
        Unmade::because(format!("{}: `{key}` is not {what}", self.name))
    }
}

pub(crate) fn verb() -> Verb {
    Verb::new("pack", run)
}

fn run(args: &PackArgs, toolbox: &Toolbox, out: &mut Out<'_>) -> Result<Outcome, Trouble> {
    let refused = |why: &str| {
        output::error(&printable(&format!("{}: {why}", args.dir.display())));
        Ok(Outcome::Bad)
    };
    let text = Input::open(&args.dir.join(MANIFEST))?;
    let manifest = match Manifest::read(&text) {
        Ok(manifest) => manifest,
        Err(why) => return refused(&format!("{MANIFEST}: {why}")),
    };
    let format = args.read.format.as_deref().unwrap_or(&manifest.format);
    let Some(driver) = toolbox.drivers().find(|driver| driver.name() == format) else {
        return refused(&format!("{MANIFEST}: there is no format `{format}`"));
    };
    let files = open(&args.dir, &manifest)?;
    let template = match manifest.template(&args.dir, &files) {
        Ok(template) => template,
        Err(why) => return refused(&why),
    };
    pack(args, driver, &manifest, &files, template.as_deref(), out)
}

/// The files of all items.
fn open(dir: &Path, manifest: &Manifest) -> Result<Vec<Input>, Trouble> {
    manifest.items.iter().map(|item| Input::open(&dir.join(&item.file))).collect()
}

fn pack(
    args: &PackArgs,
    driver: &dyn Driver,
    manifest: &Manifest,
    files: &[Input],
    template: Option<&[u8]>,
    out: &mut Out<'_>,
) -> Result<Outcome, Trouble> {
    let options = Options::default();
    let old = template.map(|file| driver.list(file, "", &options)).unwrap_or_default();
    let packing = match compared(manifest, files, template, &old) {
        Ok(packing) => packing,
        Err(reasons) => return Ok(output::errors(reasons.into_iter())),
    };
    let is_same =
        packing.changed.is_empty() && packing.dropped.is_empty() && packing.added.is_empty();
    let mut make = |to: &mut dyn Write| match template {
        Some(file) if is_same => Ok(to.write_all(file)?),
        _ => match driver.extras().pack {
            Some(pack) => pack.pack(&packing, to),
            None => Err(Unmade::because(format!(
                "in a file of the format `{}`, items can only be replaced by others of their length",
                driver.name()
            ))),
        },
    };
    let check = |new: &[u8]| {
        let name = format!("{}, packed", args.dir.display());
        validate::tell_errors(&name, &driver.validate(new, &options))
    };
    stream::save(&args.output, &files.iter().collect::<Vec<_>>(), &mut make, &check, out)
}

/// What differs from the file that items were taken from.
fn compared<'p>(
    manifest: &'p Manifest,
    files: &'p [Input],
    template: Option<&'p [u8]>,
    old: &[Item<'_>],
) -> Result<Packing<'p>, Vec<String>> {
    let settings = Fields { of: &manifest.settings, name: MANIFEST };
    let (changed, dropped, added) = (Vec::new(), Vec::new(), Vec::new());
    let mut packing = Packing { template, changed, dropped, added, settings };
    let mut reasons = Vec::new();
    let mut by_path: HashMap<&str, &Item<'_>> =
        old.iter().map(|item| (item.path.as_str(), item)).collect();
    for (Planned { fields, file, path }, input) in manifest.items.iter().zip(files) {
        let fields = Fields { of: fields, name: file };
        let packed = Packed { fields, path: path.as_deref().unwrap_or_default(), bytes: input };
        let Some(path) = path else {
            packing.added.push(packed);
            continue;
        };
        match by_path.remove(path.as_str()).map(|item| (item, differs(item, &packed))) {
            None => reasons
                .push(format!("{file}: nothing else lies at `{path}`; it is new without `path`")),
            Some((_, Err(why))) => reasons.push(format!("{file}: {why}")),
            Some((_, Ok(true))) => packing.changed.push(packed),
            Some((_, Ok(false))) => {}
        }
    }
    let taken: Vec<&str> = manifest.taken.iter().map(String::as_str).collect();
    packing.dropped.extend(
        taken.iter().filter(|path| by_path.contains_key(**path)).map(|path| (*path).to_owned()),
    );
    if reasons.is_empty() { Ok(packing) } else { Err(reasons) }
}

/// Whether an item has other bytes now; an error where it is said to be something else.
fn differs(old: &Item<'_>, new: &Packed<'_>) -> Result<bool, String> {
    let said = manifest::facts(old);
    for (key, value) in new.fields.of {
        if said.get(key).is_some_and(|said| said != value) {
            return Err(format!(
                "`{key}` was {}; only the bytes of an item change, so take out `path` to make a new one",
                said.get(key).unwrap_or(&Value::Null)
            ));
        }
    }
    match (old.payload)() {
        Ok(bytes) => Ok(*bytes != *new.bytes),
        Err(_) => Ok(true),
    }
}
