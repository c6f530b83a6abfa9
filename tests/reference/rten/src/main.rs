//! Loads `.rten` models with the `rten` crate and runs them, before and after `binfmt` changed them.
//!
//! `rten-reference models MODELS MADE` compares every model of the folder `MODELS` with the files of the
//! same name in the folders of `MADE`, and prints a table. `rten-reference weights MADE` runs the models
//! in `MADE/edited`, and compares them with those of the same name that were exported with their weights.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use rten::{DataType, Dimension, Model, Value, ValueType};
use rten_tensor::prelude::*;

/// What was done to the models: the folders of `MADE`.
const CHANGES: [&str; 4] = ["rewritten", "version-1", "version-2", "metadata"];

/// The description that the script gives to models in the last folder.
const DESCRIPTION: &str = "Described by binfmt";

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    let done = match &arguments[..] {
        ["models", models, made] => compare(Path::new(models), Path::new(made)),
        ["weights", made] => weights(Path::new(made)),
        _ => {
            eprintln!("usage: rten-reference models MODELS MADE, or weights MADE");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// The names of the models of a folder, in order.
fn names(folder: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().into_string().map_err(|_| "a name that is not UTF-8")?;
        if name.ends_with(".rten") {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// Runs models that were given weights, as `MODEL.HOW.rten`, and the one `MODEL.rten` that was exported
/// with these. Before the edit, outputs were others.
fn weights(made: &Path) -> Result<bool, Box<dyn Error>> {
    let names = names(&made.join("edited"))?;
    let mut same = 0;
    println!("{:<32} {:<20} outputs", "model and edit", "shape");
    for name in &names {
        let model = format!("{}.rten", name.split('.').next().unwrap_or(name));
        let expected = run(&made.join("exported").join(&model), false)?;
        let before = run(&made.join("before").join(&model), false)?;
        let said = match run(&made.join("edited").join(name), false) {
            Ok(_) if before == expected => "TELL NOTHING: they were these before".to_owned(),
            Ok(found) if found == expected => {
                same += 1;
                "are those of the model exported with the weights".to_owned()
            }
            Ok(_) => "DIFFER".to_owned(),
            Err(error) => format!("FAIL: {error}"),
        };
        println!("{:<32} {:<20} {said}", name.trim_end_matches(".rten"), summary(&expected));
    }
    println!("{same} of {} edited models compute what the exported ones do", names.len());
    Ok(same == names.len() && !names.is_empty())
}

fn compare(models: &Path, made: &Path) -> Result<bool, Box<dyn Error>> {
    let names = names(models)?;
    let (mut same, mut files) = (0, 0);
    print!("{:<30} {:<28}", "model", "outputs");
    println!(" {}", CHANGES.map(|change| format!("{change:<9}")).join(" "));
    for name in &names {
        let expected = run(&models.join(name), false)?;
        print!("{name:<30} {:<28}", summary(&expected));
        for change in CHANGES {
            files += 1;
            let cell = match run(&made.join(change).join(name), change == "metadata") {
                Ok(found) if found == expected => {
                    same += 1;
                    "same".to_owned()
                }
                Ok(_) => "DIFFERS".to_owned(),
                Err(error) => format!("FAILS: {error}"),
            };
            print!(" {cell:<9}");
        }
        println!();
    }
    println!("{} models, {same} of {files} files made of them give the same outputs", names.len());
    Ok(same == files && !names.is_empty())
}

/// An output: its type, shape, and elements bit by bit.
type Output = (&'static str, Vec<usize>, Vec<u32>);

fn summary(outputs: &[Output]) -> String {
    let one = |(dtype, shape, _): &Output| format!("{dtype}{shape:?}");
    let all = outputs.iter().map(one).collect::<Vec<_>>();
    match &all[..] {
        [] => "none".to_owned(),
        [one] => one.clone(),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
    }
}

/// Runs a model on inputs that are always the same.
fn run(path: &Path, described: bool) -> Result<Vec<Output>, Box<dyn Error>> {
    let model = Model::load_file(path)?;
    if described && model.metadata().description() != Some(DESCRIPTION) {
        return Err("the description is not the new one".into());
    }
    let mut inputs = Vec::new();
    for id in model.input_ids() {
        let info = model.node_info(*id).ok_or("an input without a node")?;
        let shape = info.shape().unwrap_or_default();
        let shape: Vec<usize> = shape
            .iter()
            .map(|size| match size {
                Dimension::Fixed(size) => *size,
                Dimension::Symbolic(_) => 2,
            })
            .collect();
        // Old files do not say the type; all of those here take floats.
        let dtype = match info.dtype() {
            Some(ValueType::Tensor(dtype)) => dtype,
            None => DataType::Float,
            other => return Err(format!("an input of type {other:?}").into()),
        };
        inputs.push((*id, value(&shape, dtype)?.into()));
    }
    let outputs = model.run(inputs, model.output_ids(), None)?;
    outputs.iter().map(output).collect()
}

fn value(shape: &[usize], dtype: DataType) -> Result<Value, Box<dyn Error>> {
    let numbers = 0..shape.iter().product::<usize>();
    Ok(match dtype {
        DataType::Float => {
            let floats = numbers.map(|number| (number * 5 % 17) as f32 / 4.0 - 2.0);
            Value::from_shape(shape, floats.collect::<Vec<_>>())?
        }
        DataType::Int32 => {
            let integers = numbers.map(|number| (number % 3) as i32);
            Value::from_shape(shape, integers.collect::<Vec<_>>())?
        }
        other => return Err(format!("an input of type {other:?}").into()),
    })
}

fn output(value: &Value) -> Result<Output, Box<dyn Error>> {
    let (dtype, bits) = match value {
        Value::FloatTensor(tensor) => ("f32", tensor.iter().map(|x| x.to_bits()).collect()),
        Value::Int32Tensor(tensor) => ("i32", tensor.iter().map(|x| x.cast_unsigned()).collect()),
        Value::Int8Tensor(tensor) => {
            ("i8", tensor.iter().map(|x| u32::from(x.cast_unsigned())).collect())
        }
        Value::UInt8Tensor(tensor) => ("u8", tensor.iter().map(|x| u32::from(*x)).collect()),
        other => return Err(format!("an output of type {:?}", other.dtype()).into()),
    };
    Ok((dtype, value.shape().to_vec(), bits))
}
