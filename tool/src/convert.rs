//! `binfmt convert`: the tensors of a file in another format, or a file in another version of its own.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

use binfmt_formats::pieces::Pieces;
use safetensors::tensor::{Metadata, TensorInfo};
use safetensors::{Dtype, SafeTensorError, SafeTensors};

use clap::builder::PossibleValue;
use clap::builder::PossibleValuesParser;

use crate::args::ConvertArgs;
use crate::driver::{Built, Driver, Options, Unmade};
use crate::input::Input;
use crate::output::{self, Out, Outcome, Trouble, printable};
use crate::tensor::Tensor;
use crate::toolbox::Toolbox;
use crate::verb::Verb;
use crate::{recognise, stream, validate};

/// The name of the one format to convert to that belongs to no driver.
const SAFETENSORS: &str = "safetensors";

pub(crate) fn verb(toolbox: &Toolbox) -> Verb {
    let mut targets = vec![PossibleValue::new(SAFETENSORS).help("Safetensors")];
    for driver in toolbox.drivers() {
        let extras = driver.extras();
        if extras.build.is_some() {
            let doc = driver.layout().doc.lines().next().unwrap_or_default().trim();
            targets.push(PossibleValue::new(driver.name()).help(doc.trim_end_matches('.')));
        }
        let versions = extras.versions.map_or(&[][..], |versions| versions.versions());
        let version =
            |(name, help): &(&'static str, &'static str)| PossibleValue::new(*name).help(*help);
        targets.extend(versions.iter().map(version));
    }
    let targets = PossibleValuesParser::new(targets);
    Verb::new("convert", run).map(|command| command.mut_arg("to", |arg| arg.value_parser(targets)))
}

fn run(args: &ConvertArgs, toolbox: &Toolbox, out: &mut Out<'_>) -> Result<Outcome, Trouble> {
    let target = match &args.to {
        Some(target) => target.clone(),
        None => by_extension(&args.output, toolbox)?,
    };
    let target = target.as_str();
    let input = Input::open(&args.file)?;
    let name = printable(&input.name());
    let driver = toolbox.choose(&input, args.read.format.as_deref());
    let owner = toolbox.drivers().find(|owner| has_version(*owner, target));
    if let (Some(_), Some(driver)) = (owner, driver) {
        return to_version(&input, driver, target, args, out);
    }
    let tensors = match tensors_of(&input, driver) {
        Ok(tensors) => tensors,
        Err(outcome) => return Ok(outcome),
    };
    let total = tensors.iter().filter_map(|tensor| tensor.bytes);
    let total = total.fold(0_u64, |sum, bytes| sum.saturating_add(crate::json::wide(bytes.len())));
    if !fits(&name, total, args) {
        return Ok(Outcome::Bad);
    }
    if let Some(owner) = owner {
        let owner = owner.name();
        output::error(&format!("{name}: only a .{owner} file can become one of another version"));
        return Ok(Outcome::Bad);
    }
    let builder = toolbox.drivers().find(|driver| driver.name() == target);
    let built = builder.and_then(|driver| driver.extras().build).map(|it| it.build(&tensors));
    let Built { file, mut left_out } = built.unwrap_or_else(|| to_safetensors(&tensors));
    left_out.extend(
        driver
            .and_then(|driver| driver.extras().tensors)
            .map(|tensors| tensors.closed(&input))
            .unwrap_or_default(),
    );
    if tensors.is_empty() && left_out.is_empty() {
        output::warning(&format!("{name}: there are no tensors in it"));
    }
    let say = if args.skip { output::warning } else { output::error };
    for reason in &left_out {
        say(&printable(&format!("{name}: {reason}")));
    }
    if !left_out.is_empty() && !args.skip {
        output::error("nothing is written; --skip leaves such out");
        return Ok(Outcome::Bad);
    }
    match file {
        Ok(file) if !fits(&name, file.len(), args) => Ok(Outcome::Bad),
        Ok(file) => {
            let mut make = |to: &mut dyn Write| Ok(file.write_to(to)?);
            stream::save(&args.output, &[&input], &mut make, &|_| Outcome::Good, out)
        }
        Err(error) => {
            output::error(&printable(&format!("{name}: {error}")));
            Ok(Outcome::Bad)
        }
    }
}

/// The tensors of a file, or what the program ends with, which has been said.
fn tensors_of<'i>(
    input: &'i Input,
    driver: Option<&dyn Driver>,
) -> Result<Vec<Tensor<'i>>, Outcome> {
    match driver {
        Some(driver) => of_format(input, driver, &Options::default()),
        None if recognise::looks_like_safetensors(input) => {
            of_safetensors(input).map_err(|error| {
                output::error(&printable(&format!("{}: {error}", input.name())));
                Outcome::Bad
            })
        }
        None => Err(validate::unrecognised(input)),
    }
}

const TOO_MUCH: &str = "there is more in it than --max-total allows to write";

/// Whether no more is written than allowed, which is said if not.
fn fits(name: &str, bytes: u64, args: &ConvertArgs) -> bool {
    if bytes > args.max_total {
        output::error(&format!("{name}: {TOO_MUCH}"));
    }
    bytes <= args.max_total
}

fn has_version(driver: &dyn Driver, version: &str) -> bool {
    let versions = driver.extras().versions.map_or(&[][..], |versions| versions.versions());
    versions.iter().any(|(name, _)| *name == version)
}

fn by_extension(path: &Path, toolbox: &Toolbox) -> Result<String, Trouble> {
    let builders = toolbox.drivers().filter(|driver| driver.extras().build.is_some());
    let known: Vec<_> = [SAFETENSORS].into_iter().chain(builders.map(Driver::name)).collect();
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.filter(|extension| known.contains(extension)).map(str::to_owned).ok_or_else(|| {
        let known: Vec<_> = known.iter().map(|name| format!(".{name}")).collect();
        Trouble::new(format!(
            "{}: the extension does not say the format, as {} do; --to names it",
            path.display(),
            known.join(" and ")
        ))
    })
}

/// The whole file, in another version of its format.
fn to_version(
    input: &Input,
    driver: &dyn Driver,
    target: &str,
    args: &ConvertArgs,
    out: &mut Out<'_>,
) -> Result<Outcome, Trouble> {
    let mut make = |to: &mut dyn Write| {
        let Some(versions) = driver.extras().versions else {
            let name = driver.name();
            let why = format!("a file of the format `{name}` has no such version");
            return Err(Unmade::because(why));
        };
        let file = versions.to_version(input, target).map_err(Unmade::because)?;
        if file.len() > args.max_total {
            return Err(Unmade::because(TOO_MUCH));
        }
        Ok(file.write_to(to)?)
    };
    stream::remake((input, &[]), driver, &Options::default(), &args.output, &mut make, out)
}

/// The tensors of a file without errors.
fn of_format<'f>(
    input: &'f Input,
    driver: &dyn Driver,
    options: &Options,
) -> Result<Vec<Tensor<'f>>, Outcome> {
    let outcome = validate::tell_errors(&input.name(), &driver.validate(input, options));
    if outcome != Outcome::Good {
        return Err(outcome);
    }
    let tensors = driver.tensors(input, options).map_err(|error| {
        output::error(&printable(&format!("{}: {error}", input.name())));
        Outcome::Bad
    })?;
    let tensors = each_once(tensors);
    if tensors.is_empty() && driver.extras().tensors.is_none() {
        let name = printable(&input.name());
        output::error(&format!("{name}: files of the format `{}` have no tensors", driver.name()));
        return Err(Outcome::Bad);
    }
    Ok(tensors)
}

/// What has several paths in a file is one tensor, if everything about it is the same.
fn each_once(tensors: Vec<Tensor<'_>>) -> Vec<Tensor<'_>> {
    let mut seen = HashMap::new();
    let is_new = |tensor: &Tensor<'_>| {
        let bytes = tensor.bytes.map(<[u8]>::as_ptr_range);
        let content = (tensor.dtype, tensor.shape.clone(), tensor.order.clone(), bytes);
        let known = seen.entry(tensor.name.clone()).or_insert_with(Vec::new);
        let is_new = !known.contains(&content);
        if is_new {
            known.push(content);
        }
        is_new
    };
    let mut tensors = tensors;
    tensors.retain(is_new);
    tensors
}

/// The types of both worlds.
const DTYPES: &[(Dtype, &str)] = &[
    (Dtype::BOOL, "bool"),
    (Dtype::U8, "u8"),
    (Dtype::I8, "i8"),
    (Dtype::F8_E5M2, "f8e5m2"),
    (Dtype::F8_E4M3, "f8e4m3fn"),
    (Dtype::F8_E5M2FNUZ, "f8e5m2fnuz"),
    (Dtype::F8_E4M3FNUZ, "f8e4m3fnuz"),
    (Dtype::I16, "i16"),
    (Dtype::U16, "u16"),
    (Dtype::F16, "f16"),
    (Dtype::BF16, "bf16"),
    (Dtype::I32, "i32"),
    (Dtype::U32, "u32"),
    (Dtype::F32, "f32"),
    (Dtype::C64, "c32"),
    (Dtype::F64, "f64"),
    (Dtype::I64, "i64"),
    (Dtype::U64, "u64"),
];

pub(crate) fn of_safetensors(file: &[u8]) -> Result<Vec<Tensor<'_>>, String> {
    let read = SafeTensors::deserialize(file).map_err(|error| error.to_string())?;
    let (_, header) = SafeTensors::read_metadata(file).map_err(|error| error.to_string())?;
    if header.metadata().as_ref().is_some_and(|metadata| !metadata.is_empty()) {
        output::warning(
            "the metadata of the file has no place in the other format; it is left out",
        );
    }
    let tensor = |name: String| {
        let view = read.tensor(&name).map_err(|error| error.to_string())?;
        let dtype = DTYPES.iter().find(|(known, _)| *known == view.dtype());
        let (_, dtype) =
            dtype.ok_or_else(|| format!("{name}: there is no type {}", view.dtype()))?;
        Ok(Tensor {
            path: name.clone(),
            dtype: Some(dtype),
            shape: view.shape().iter().map(|size| crate::json::wide(*size)).collect(),
            order: Vec::new(),
            bytes: Some(view.data()),
            name,
        })
    };
    // In the order of the file.
    header.offset_keys().into_iter().map(tensor).collect()
}

/// A tensor as `safetensors` takes it.
struct Rows<'f> {
    dtype: Dtype,
    shape: Vec<usize>,
    elements: Cow<'f, [u8]>,
}

fn to_safetensors<'f>(tensors: &[Tensor<'f>]) -> Built<'f> {
    let (mut all, mut left_out) = (Vec::<(&str, Rows<'_>)>::new(), Vec::new());
    for tensor in tensors {
        match rows(tensor) {
            Ok(rows) => all.push((&tensor.name, rows)),
            Err(why) => left_out.push(format!("{}: {why}", tensor.name)),
        }
    }
    let mut names: Vec<_> = all.iter().map(|(name, _)| *name).collect();
    names.sort_unstable();
    let twice = names.iter().zip(names.iter().skip(1)).find(|(a, b)| a == b);
    if let Some((name, _)) = twice {
        return Built { file: Err(format!("two tensors are called {name}")), left_out };
    }
    let file = in_pieces(all).map_err(|error| error.to_string());
    Built { file, left_out }
}

/// The file that the crate would make, without the bytes of tensors in memory: its header is that of
/// tensors without bytes.
fn in_pieces<'f>(mut all: Vec<(&str, Rows<'f>)>) -> Result<Pieces<'f>, SafeTensorError> {
    // As the crate orders them: the largest alignment first, then by name.
    all.sort_by(|(a, left), (b, right)| right.dtype.cmp(&left.dtype).then(a.cmp(b)));
    let (mut offset, mut infos) = (0, Vec::new());
    for (name, Rows { dtype, shape, elements }) in &all {
        let end = offset + elements.len();
        let info = TensorInfo { dtype: *dtype, shape: shape.clone(), data_offsets: (offset, end) };
        infos.push(((*name).to_owned(), info));
        offset = end;
    }
    let mut header = serde_json::to_vec(&Metadata::new(None, infos)?)?;
    header.resize(header.len().next_multiple_of(8), b' ');
    let mut file = Pieces::from(crate::json::wide(header.len()).to_le_bytes().to_vec());
    file.push(header);
    for (_, rows) in all {
        file.push(rows.elements);
    }
    Ok(file)
}

fn rows<'f>(tensor: &Tensor<'f>) -> Result<Rows<'f>, String> {
    let dtype = tensor.dtype.ok_or("a blob is no tensor")?;
    let known = DTYPES.iter().find(|(_, name)| *name == dtype);
    let (known, _) = known.ok_or_else(|| format!("safetensors has no type {dtype}"))?;
    let shape: Result<Vec<usize>, _> = tensor.shape.iter().map(|size| (*size).try_into()).collect();
    let shape = shape.map_err(|_| "it is too large for this machine")?;
    Ok(Rows { dtype: *known, shape, elements: tensor.rows()? })
}
