//! What a declaration gives without a word more: a driver for any declared type.

mod with;

use std::fmt;
use std::io::Write;
use std::marker::PhantomData;
use std::sync::Arc;

use binfmt_runtime::{BinFormat, DefaultArgs, Events, Family, Layout};

use crate::driver::{Checked, Driver, Options, Part, Unmade};

/// A format of a program.
#[derive(Clone)]
pub struct Format(Arc<dyn Driver>);

impl Format {
    /// What the format offers.
    pub fn driver(&self) -> &dyn Driver {
        &*self.0
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Format").field(&self.0.name()).finish()
    }
}

/// The format that a type declares, under the name that `--format` takes.
pub fn format<T>(name: &'static str) -> Format
where
    T: Family + 'static,
    for<'f> T::At<'f>: BinFormat<'f> + DefaultArgs<'f>,
{
    driver(Plain::<T> { name, of: PhantomData })
}

/// A format with a driver of its own.
pub fn driver(driver: impl Driver + 'static) -> Format {
    Format(Arc::new(driver))
}

/// A declared type and nothing else.
struct Plain<T> {
    name: &'static str,
    of: PhantomData<fn() -> T>,
}

impl<T> Driver for Plain<T>
where
    T: Family,
    for<'f> T::At<'f>: BinFormat<'f> + DefaultArgs<'f>,
{
    fn name(&self) -> &'static str {
        self.name
    }

    fn layout(&self) -> &'static Layout {
        <T::At<'static> as BinFormat<'static>>::LAYOUT
    }

    /// A declaration with a magic says so itself; others are tried.
    fn detect(&self, file: &[u8]) -> bool {
        let mut magics = self.layout().magics().peekable();
        if magics.peek().is_none() {
            !file.is_empty() && T::At::is_valid(file)
        } else {
            magics.any(|magic| file.starts_with(magic))
        }
    }

    fn is_without_magic(&self) -> bool {
        self.layout().magics().next().is_none()
    }

    fn validate(&self, file: &[u8], _: &Options) -> Checked {
        Checked { variant: None, report: T::At::validate(file) }
    }

    fn walk(&self, file: &[u8], part: &Part, _: &Options, events: &mut dyn Events) {
        let args = T::At::default_args();
        T::At::inspect_in_into(file, part.range.clone(), args, events);
    }

    fn rewrite_to(&self, file: &[u8], _: &Options, out: &mut dyn Write) -> Result<(), Unmade> {
        let (value, behind) = T::At::parse_prefix(file).map_err(Unmade::because)?;
        Unmade::by_writer(value.write_to(&mut *out))?;
        // Bytes behind the value are not part of it, and are kept.
        Ok(out.write_all(behind)?)
    }

    fn compacted(&self, file: &[u8], _: &Options) -> Option<Vec<u8>> {
        // Bytes behind the value have no place in a file that is put together anew.
        let (value, b"") = T::At::parse_prefix(file).ok()? else { return None };
        value.compact().to_vec().ok()
    }
}
