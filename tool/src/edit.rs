//! `binfmt edit`: other data in a file.

use std::io::Write;
use std::path::PathBuf;

use crate::args::EditArgs;
use crate::driver::Options;
use crate::input::Input;
use crate::output::{self, Out, Outcome, Trouble, printable};
use crate::tensor::Tensor;
use crate::toolbox::Toolbox;
use crate::verb::Verb;
use crate::weights::Given;
use crate::{recognise, stream, validate};

/// What is to be changed.
#[derive(Debug, Default)]
pub struct Edits<'f> {
    /// Bring the file to the current form first.
    pub upgrade: bool,
    /// Then put other bytes into segments,
    pub segments: Vec<(u64, &'f [u8])>,
    /// remove keys,
    pub drop: Vec<&'f str>,
    /// and put bytes behind keys,
    pub put: Vec<(&'f str, &'f [u8])>,
    /// and new elements into tensors,
    pub weights: Vec<Tensor<'f>>,
    /// which may be cast to their types;
    pub cast: bool,
    /// keys may be new.
    pub add: bool,
    /// What segments are aligned to from then on.
    pub align: Option<u64>,
}

impl Edits<'_> {
    /// Whether nothing but an upgrade is asked for.
    pub fn only_upgrades(&self) -> bool {
        self.segments.is_empty()
            && self.drop.is_empty()
            && self.put.is_empty()
            && self.weights.is_empty()
            && self.align.is_none()
    }
}

pub(crate) fn verb() -> Verb {
    Verb::new("edit", run)
}

fn run(args: &EditArgs, toolbox: &Toolbox, out: &mut Out<'_>) -> Result<Outcome, Trouble> {
    let input = Input::open(&args.file)?;
    let Some(driver) = toolbox.choose(&input, args.read.format.as_deref()) else {
        return Ok(validate::unrecognised(&input));
    };
    let Some(edit) = driver.extras().edit else {
        let name = printable(&input.name());
        output::error(&format!("{name}: files of the format `{}` cannot be edited", driver.name()));
        return Ok(Outcome::Bad);
    };
    let put = open(args.put.iter().map(|(key, path)| (key.as_str(), path)))?;
    let segments = open(args.segment.iter().map(|(index, path)| (*index, path)))?;
    let given = open(args.weights.iter().map(|given| (given, &given.path)))?;
    if !args.raw {
        let put = put.iter().map(|(_, input)| input);
        refuse_wrapped(put.chain(segments.iter().map(|(_, input)| input)))?;
    }
    let Some(weights) = tensors(&args.weights, &given) else { return Ok(Outcome::Bad) };
    let edits = Edits {
        upgrade: args.upgrade,
        segments: segments.iter().map(|(index, input)| (*index, &**input)).collect(),
        drop: args.drop.iter().map(String::as_str).collect(),
        put: put.iter().map(|(key, input)| (*key, &**input)).collect(),
        weights,
        cast: args.cast,
        add: args.add,
        align: args.align,
    };
    let mut make = |to: &mut dyn Write| edit.edit(&input, &edits, to);
    let files = put.iter().map(|(_, file)| file).chain(segments.iter().map(|(_, file)| file));
    let files: Vec<&Input> = files.chain(given.iter().map(|(_, file)| file)).collect();
    stream::remake((&input, &files), driver, &Options::default(), &args.output, &mut make, out)
}

/// All tensors of the files; `None` if one of these is told to be no such file.
fn tensors<'f>(given: &[Given], inputs: &'f [(&Given, Input)]) -> Option<Vec<Tensor<'f>>> {
    let mut all = Vec::new();
    let mut failed = false;
    for (given, (_, input)) in given.iter().zip(inputs) {
        match given.tensors(input) {
            Ok(tensors) => all.extend(tensors),
            Err(why) => {
                output::error(&printable(&format!("{}: {why}", input.name())));
                failed = true;
            }
        }
    }
    (!failed).then_some(all)
}

/// Files whose numbers stand behind a header are not what anybody wants to be put in as they are.
fn refuse_wrapped<'i>(mut inputs: impl Iterator<Item = &'i Input>) -> Result<(), Trouble> {
    let is_wrapped = |input: &&Input| {
        input.starts_with(b"\x93NUMPY") || recognise::looks_like_safetensors(input)
    };
    match inputs.find(is_wrapped) {
        Some(input) => Err(Trouble::new(format!(
            "{}: this is a file of NumPy or safetensors, whose header is not part of the numbers; --weights takes its tensors, --raw puts it in as it is",
            input.name()
        ))),
        None => Ok(()),
    }
}

/// The files that options name.
fn open<'a, K>(files: impl Iterator<Item = (K, &'a PathBuf)>) -> Result<Vec<(K, Input)>, Trouble> {
    files.map(|(key, path)| Ok((key, Input::open(path)?))).collect()
}
