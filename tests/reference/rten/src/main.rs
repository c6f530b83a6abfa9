//! Loads `.rten` models with the `rten` crate and runs them, before and after `binfmt` changed them.
//!
//! `rten-reference MODELS MADE` compares every model of the folder `MODELS` with the files of the same
//! name in the folders of `MADE`, and prints a table.

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
    let folders: Vec<_> = std::env::args_os().skip(1).collect();
    let [models, made] = &folders[..] else {
        eprintln!("usage: rten-reference MODELS MADE");
        return ExitCode::from(2);
    };
    match compare(Path::new(models), Path::new(made)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn compare(models: &Path, made: &Path) -> Result<bool, Box<dyn Error>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(models)? {
        let name = entry?.file_name().into_string().map_err(|_| "a name that is not UTF-8")?;
        if name.ends_with(".rten") {
            names.push(name);
        }
    }
    names.sort();
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
