//! What can stand in a field of a table.

use super::{Builder, FlatBuild};
use crate::finding::Error;
use crate::flat::{FbRef, FbVec, Placed};

macro_rules! numbers {
    ($($ty:ident)*) => {
        $(impl FlatBuild<'_> for $ty {
            fn put(&self, out: &mut Builder, at: usize) -> Result<usize, Error> {
                out.write(at, &self.to_le_bytes());
                Ok(at)
            }

            fn is_default(&self, default: &Self) -> bool {
                self.to_le_bytes() == default.to_le_bytes()
            }
        })*
    };
}

numbers! { u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 }

impl FlatBuild<'_> for bool {
    fn put(&self, out: &mut Builder, at: usize) -> Result<usize, Error> {
        u8::from(*self).put(out, at)
    }

    fn is_default(&self, default: &Self) -> bool {
        self == default
    }
}

impl<'a> FlatBuild<'a> for &'a [u8] {
    fn put(&self, out: &mut Builder, _: usize) -> Result<usize, Error> {
        let at = out.counted(self.len(), 1, 4)?;
        out.write(at.saturating_add(4), self);
        Ok(at)
    }

    fn is_default(&self, _: &Self) -> bool {
        self.is_empty()
    }
}

impl<'a> FlatBuild<'a> for &'a str {
    fn put(&self, out: &mut Builder, at: usize) -> Result<usize, Error> {
        let at = self.as_bytes().put(out, at)?;
        out.append(&[0], 1)?;
        Ok(at)
    }

    fn is_default(&self, _: &Self) -> bool {
        self.is_empty()
    }
}

impl<'a, T: FlatBuild<'a>> FlatBuild<'a> for FbVec<'a, T> {
    fn put(&self, out: &mut Builder, _: usize) -> Result<usize, Error> {
        match self.file() {
            Some(file) => out.read_from(file, |out| put_items(self, out)),
            None => put_items(self, out),
        }
    }

    /// One that was read was stored, even without items.
    fn is_default(&self, _: &Self) -> bool {
        self.is_empty() && !self.is_stored()
    }
}

fn put_items<'a, T: FlatBuild<'a>>(
    items: &FbVec<'a, T>,
    out: &mut Builder,
) -> Result<usize, Error> {
    let count = crate::ops::to_len(items.count());
    let at = out.counted(count, T::SIZE, T::ALIGN)?;
    let mut place = at.saturating_add(4);
    if let (true, Some(bytes)) = (T::PLAIN, items.bytes()) {
        out.write(place, bytes);
        return Ok(at);
    }
    for index in 0..count {
        let step = crate::path::Step::Index(crate::ops::wide(index));
        items
            .with_item(index, |item| out.value(place, item))
            .map_err(|error| error.within(step))?;
        place = place.saturating_add(T::SIZE);
    }
    Ok(at)
}

impl<'a, T: FlatBuild<'a>> FlatBuild<'a> for FbRef<'a, T> {
    fn put(&self, out: &mut Builder, at: usize) -> Result<usize, Error> {
        match self.file() {
            Some(file) => out.read_from(file, |out| self.with(|item| item.put(out, at))),
            None => self.with(|item| item.put(out, at)),
        }
    }
}

impl<'a, T: FlatBuild<'a>> FlatBuild<'a> for Placed<T> {
    fn put(&self, out: &mut Builder, at: usize) -> Result<usize, Error> {
        T::put(self, out, at)
    }

    fn is_default(&self, default: &Self) -> bool {
        T::is_default(self, default)
    }
}
