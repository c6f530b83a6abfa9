//! New elements for tensors, from files of safetensors and `NumPy`.

use std::path::{Path, PathBuf};

use npyz::{DType, NpyHeader, Order};

use crate::convert::of_safetensors;
use crate::input::Input;
use crate::recognise;
use crate::tensor::{Tensor, from_numpy};

/// A file of new elements, and the name of its one tensor where it does not have one itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Given {
    name: Option<String>,
    pub(crate) path: PathBuf,
}

impl Given {
    /// `PATH`, or `NAME=PATH`.
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        let given = match text.rsplit_once('=') {
            Some((name, path)) if !Path::new(text).exists() => {
                Self { name: Some(name.to_owned()), path: path.into() }
            }
            _ => Self { name: None, path: text.into() },
        };
        let is_path = !given.path.as_os_str().is_empty();
        if is_path { Ok(given) } else { Err("it has the form PATH or NAME=PATH") }
    }

    /// The tensors of the file.
    pub(crate) fn tensors<'f>(&self, input: &'f Input) -> Result<Vec<Tensor<'f>>, String> {
        if input.starts_with(MAGIC) {
            let stem = || input.stem();
            return Ok(vec![array(input, self.name.clone().unwrap_or_else(stem))?]);
        }
        if !recognise::looks_like_safetensors(input) {
            return Err("this is no file of safetensors, nor of NumPy (.npy)".to_owned());
        }
        if let Some(name) = &self.name {
            return Err(format!("this file names its tensors itself; leave out `{name}=`"));
        }
        let tensors = of_safetensors(input)?;
        if tensors.is_empty() {
            return Err("there are no tensors in it".to_owned());
        }
        Ok(tensors)
    }
}

const MAGIC: &[u8] = b"\x93NUMPY";

/// The array in a file of `NumPy`.
fn array(file: &[u8], name: String) -> Result<Tensor<'_>, String> {
    let damaged = || "the header of the array is damaged".to_owned();
    // The length of the header is a claim: two bytes of it, or four since version 2.
    let len = match file.get(6).ok_or_else(damaged)? {
        1 => file.get(8..10).map(|len| u32::from(len[0]) | u32::from(len[1]) << 8),
        _ => file.get(8..12).and_then(|len| Some(u32::from_le_bytes(len.try_into().ok()?))),
    };
    let len = len.and_then(|len| usize::try_from(len).ok()).ok_or_else(damaged)?;
    if len > file.len() {
        return Err(damaged());
    }
    let mut rest = file;
    let header = NpyHeader::from_reader(&mut rest);
    let header = header.map_err(|error| format!("the array cannot be read: {error}"))?;
    let DType::Plain(ty) = header.dtype() else {
        return Err("the array has records, and no elements of one type".to_owned());
    };
    let ty = ty.to_string();
    let dtype = from_numpy(&ty).ok_or_else(|| {
        format!("there is no type {ty}; arrays have numbers with the lowest byte first, or bool")
    })?;
    let shape = header.shape().to_vec();
    let dims = u8::try_from(shape.len()).map_err(|_| damaged())?;
    let order = match header.order() {
        Order::C => Vec::new(),
        Order::Fortran => (0..dims).rev().collect(),
    };
    Ok(Tensor { path: name.clone(), name, dtype: Some(dtype), shape, order, bytes: Some(rest) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::input;

    #[test]
    fn one_array_is_named_by_its_file_or_by_the_user() {
        let file = crate::tensor::npy("f32", &[1], &[0, 0, 128, 63]).unwrap().unwrap();
        let input = input(&file).renamed("fc.bias.npy");
        let tensors = |given: &str| Given::parse(given).unwrap().tensors(&input).unwrap();
        let named = |given: &str| tensors(given).remove(0).name;
        assert_eq!(named("fc.bias.npy"), "fc.bias");
        assert_eq!(named("a=b=x.npy"), "a=b");
        let [tensor] = &tensors("x.npy")[..] else { panic!("one") };
        assert_eq!((tensor.dtype, &tensor.shape[..]), (Some("f32"), &[1][..]));
        assert_eq!(tensor.bytes, Some(&[0, 0, 128, 63][..]));
    }

    #[test]
    fn damaged_and_foreign_files_are_refused() {
        let mut long = b"\x93NUMPY\x02\0\xff\xff\xff\x7f{}".to_vec();
        for (bytes, sentence) in [
            (&b""[..], "no file of safetensors"),
            (b"hello", "no file of safetensors"),
            (b"\x93NUMPY", "damaged"),
            (&long.clone(), "damaged"),
            (b"\x93NUMPY\x01\0\x02\0{}", "cannot be read"),
            (b"\x08\0\0\0\0\0\0\0{}      ", "no tensors"),
        ] {
            let error = Given::parse("x").unwrap().tensors(&input(bytes)).unwrap_err();
            assert!(error.contains(sentence), "{error}");
        }
        long.clear();
        let text = "{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }\n";
        long.extend_from_slice(b"\x93NUMPY\x01\0");
        long.extend_from_slice(&u16::try_from(text.len()).unwrap().to_le_bytes());
        long.extend_from_slice(text.as_bytes());
        long.extend_from_slice(&[0; 4]);
        let error = Given::parse("x").unwrap().tensors(&input(&long)).unwrap_err();
        assert!(error.contains(">f4"), "{error}");
    }
}
