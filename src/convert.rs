//! `binfmt convert`: the tensors of a file in another format, or a file in another version of its own.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use binfmt_formats::ptd::{Builder, ScalarType};
use safetensors::{Dtype, SafeTensors, View};

use crate::args::{ConvertArgs, Target};
use crate::driver::{self, Driver, Options};
use crate::input::Input;
use crate::output::{self, Out, Outcome, Trouble, printable};
use crate::save::save_as;
use crate::tensor::Tensor;
use crate::{recognise, remake, validate};

pub(crate) fn run(args: &ConvertArgs, out: &mut Out<'_>) -> Result<Outcome, Trouble> {
    let target = args.to.map_or_else(|| by_extension(&args.output), Ok)?;
    let input = Input::open(&args.file)?;
    let name = printable(&input.name());
    let driver = driver::choose(&input, args.read.format.as_deref());
    if let (Target::Rten1 | Target::Rten2, Some(driver)) = (target, driver) {
        return to_version(&input, driver, target, args, out);
    }
    let tensors = match driver {
        Some(driver) => match of_format(&input, driver, &args.read.options()) {
            Ok(tensors) => tensors,
            Err(outcome) => return Ok(outcome),
        },
        None if recognise::looks_like_safetensors(&input) => match of_safetensors(&input) {
            Ok(tensors) => tensors,
            Err(error) => {
                output::error(&printable(&format!("{name}: {error}")));
                return Ok(Outcome::Bad);
            }
        },
        None => return Ok(validate::unrecognised(&input)),
    };
    let (bytes, left_out) = match target {
        Target::Safetensors => to_safetensors(&tensors),
        Target::Ptd => to_ptd(&tensors),
        Target::Rten1 | Target::Rten2 => {
            output::error(&format!("{name}: only a .rten model can become one of another version"));
            return Ok(Outcome::Bad);
        }
    };
    let say = if args.skip { output::warning } else { output::error };
    for reason in &left_out {
        say(&printable(&format!("{name}: {reason}")));
    }
    if !left_out.is_empty() && !args.skip {
        output::error("nothing is written; --skip leaves such out");
        return Ok(Outcome::Bad);
    }
    match bytes {
        Ok(bytes) => {
            save_as(&args.output, &bytes, out)?;
            Ok(Outcome::Good)
        }
        Err(error) => {
            output::error(&printable(&format!("{name}: {error}")));
            Ok(Outcome::Bad)
        }
    }
}

fn by_extension(path: &Path) -> Result<Target, Trouble> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("safetensors") => Ok(Target::Safetensors),
        Some("ptd") => Ok(Target::Ptd),
        _ => Err(Trouble::new(format!(
            "{}: the extension does not say the format, as .safetensors and .ptd do; --to names it",
            path.display()
        ))),
    }
}

/// The whole file, in another version of its format.
fn to_version(
    input: &Input,
    driver: &dyn Driver,
    target: Target,
    args: &ConvertArgs,
    out: &mut Out<'_>,
) -> Result<Outcome, Trouble> {
    let make = || driver.to_version(input, target);
    match remake::remake(input, driver, &args.read.options(), make) {
        Ok(bytes) => {
            save_as(&args.output, &bytes, out)?;
            Ok(Outcome::Good)
        }
        Err(outcome) => Ok(outcome),
    }
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
    let tensors = each_once(driver.tensors(input, options));
    if tensors.is_empty() && !driver.has_tensors() {
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

fn of_safetensors(file: &[u8]) -> Result<Vec<Tensor<'_>>, String> {
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

/// A file, or why there is none, and what has no place in it.
type Converted = (Result<Vec<u8>, String>, Vec<String>);

/// A tensor as `safetensors` takes it.
struct Rows<'f> {
    dtype: Dtype,
    shape: Vec<usize>,
    elements: Cow<'f, [u8]>,
}

impl View for &Rows<'_> {
    fn dtype(&self) -> Dtype {
        self.dtype
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.elements)
    }

    fn data_len(&self) -> usize {
        self.elements.len()
    }
}

fn to_safetensors(tensors: &[Tensor<'_>]) -> Converted {
    let (mut all, mut left_out) = (Vec::<(&str, Rows<'_>)>::new(), Vec::new());
    for tensor in tensors {
        match rows(tensor) {
            Ok(rows) => all.push((&tensor.name, rows)),
            Err(why) => left_out.push(format!("{}: {why}", tensor.name)),
        }
    }
    let mut names: Vec<_> = all.iter().map(|(name, _)| *name).collect();
    names.sort_unstable();
    if let Some([name, _]) = names.array_windows::<2>().find(|[a, b]| a == b) {
        return (Err(format!("two tensors are called {name}")), left_out);
    }
    let views = all.iter().map(|(name, rows)| (*name, rows));
    (safetensors::serialize(views, None).map_err(|error| error.to_string()), left_out)
}

fn rows<'f>(tensor: &Tensor<'f>) -> Result<Rows<'f>, String> {
    let dtype = tensor.dtype.ok_or("a blob is no tensor")?;
    let known = DTYPES.iter().find(|(_, name)| *name == dtype);
    let (known, _) = known.ok_or_else(|| format!("safetensors has no type {dtype}"))?;
    let shape: Result<Vec<usize>, _> = tensor.shape.iter().map(|size| (*size).try_into()).collect();
    let shape = shape.map_err(|_| "it is too large for this machine")?;
    Ok(Rows { dtype: *known, shape, elements: tensor.rows()? })
}

fn to_ptd(tensors: &[Tensor<'_>]) -> Converted {
    let (mut file, mut left_out) = (Builder::new(), Vec::new());
    for tensor in tensors {
        if let Err(why) = add(&mut file, tensor) {
            left_out.push(format!("{}: {why}", tensor.name));
        }
    }
    (file.to_vec().map_err(|error| error.to_string()), left_out)
}

/// Puts a tensor into a file as it is stored, for the format knows orders of dimensions.
fn add<'f>(file: &mut Builder<'f>, tensor: &Tensor<'f>) -> Result<(), String> {
    let bytes = tensor.bytes.ok_or("its bytes do not lie in the file")?;
    let order: Vec<u8> = (0..=u8::MAX).take(tensor.shape.len()).collect();
    let order = if tensor.order.is_empty() { &order } else { &tensor.order };
    let added = match tensor.dtype {
        None => file.blob(&tensor.name, bytes, 1),
        Some(dtype) => {
            let known = ScalarType::named(dtype);
            let known = known.ok_or_else(|| format!("the format has no type {dtype}"))?;
            file.tensor_with(&tensor.name, known, &tensor.shape, order, bytes)
        }
    };
    added.map(|_| ()).map_err(|error| error.to_string())
}
