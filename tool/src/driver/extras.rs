//! What a format can have beside its declaration: one small trait for each.

use std::fmt;
use std::io::Write;

use binfmt_formats::pieces::Pieces;
use binfmt_formats::summary::Summary;
use binfmt_runtime::Finding;
use clap::{Arg, ArgMatches};
use serde_json::Value;

use super::{Built, Change, Container, Driver, Options, Packing, Part, Text, Unmade};
use crate::edit::Edits;
use crate::item::Item;
use crate::plain::Format;
use crate::tensor::Tensor;

/// What a format has beside its declaration.
#[derive(Clone, Copy, Default)]
pub struct Extras<'d> {
    /// Options on the command line.
    pub configure: Option<&'d dyn Configure>,
    /// What lies in its files under which name.
    pub items: Option<&'d dyn Items>,
    /// Where it lies in host files.
    pub places: Option<&'d dyn Places>,
    /// Tensors.
    pub tensors: Option<&'d dyn Tensors>,
    /// Files that are made from tensors.
    pub build: Option<&'d dyn Build>,
    /// What makes its files big.
    pub summarize: Option<&'d dyn Summarize>,
    /// Texts that say where a file comes from.
    pub metadata: Option<&'d dyn Metadata>,
    /// Versions that files can be brought to.
    pub versions: Option<&'d dyn Versions>,
    /// Other data in its files.
    pub edit: Option<&'d dyn Edit>,
    /// Files that are made from their items.
    pub pack: Option<&'d dyn Pack>,
}

impl fmt::Debug for Extras<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Extras").finish_non_exhaustive()
    }
}

/// Options of one format.
pub trait Configure: Send + Sync {
    /// The options, under names that no other format has.
    fn args(&self) -> Vec<Arg>;

    /// The same format, told what the user said.
    fn configured(&self, matches: &ArgMatches) -> Option<Format>;
}

/// What can be listed and extracted.
pub trait Items: Send + Sync {
    /// Every item, as far as the file can be read; `stem` is the name of the file without its
    /// extension.
    fn list<'f>(&self, file: &'f [u8], stem: &str, options: &Options) -> Vec<Item<'f>>;

    /// What a listing says about the file as a whole, such as what makes it big.
    fn totals(&self, _file: &[u8], _options: &Options) -> Vec<(&'static str, Value)> {
        Vec::new()
    }
}

/// Where files of the format lie in other files.
pub trait Places: Send + Sync {
    /// What is walked one after the other: the whole file, or every place in a host file.
    fn parts(&self, file: &[u8], _options: &Options) -> Vec<Part> {
        vec![Part::whole(file)]
    }

    /// The constants that a container of this format can start with, or nearly so, for `scan`.
    fn magics(&self) -> &'static [[u8; 4]];

    /// How many bytes of a container lie in front of that constant: a multiple of 4.
    fn before_magic(&self) -> usize {
        0
    }

    /// The container that starts at `at`, if it can be walked to its end; else how many steps the
    /// walk took, so that a search can tell when it is being kept busy.
    fn prove(&self, file: &[u8], at: usize, options: &Options) -> Result<Container, u64>;

    /// What is wrong with the container that starts at `at` and cannot be walked to its end.
    fn damage(&self, _file: &[u8], _at: usize, _options: &Options) -> Option<Finding> {
        None
    }

    /// Whether a magic in this section is always the start of a container.
    fn owns(&self, _section: &str) -> bool {
        false
    }
}

/// Tensors in files of the format.
pub trait Tensors: Send + Sync {
    /// Every tensor, and what lies beside them under a name, or why not all of them can be read.
    fn tensors<'f>(&self, file: &'f [u8], options: &Options) -> Result<Vec<Tensor<'f>>, String>;

    /// What may hold numbers and is none of the tensors, such as the blob of a backend.
    fn closed(&self, _file: &[u8]) -> Vec<String> {
        Vec::new()
    }
}

/// Files of the format that are made from any tensors.
pub trait Build: Send + Sync {
    /// A file with these tensors, and what has no place in it.
    fn build<'f>(&self, tensors: &[Tensor<'f>]) -> Built<'f>;
}

/// What makes files of the format big, and what they can do.
pub trait Summarize: Send + Sync {
    /// The parts and their sizes, or why they cannot be read.
    fn summarize(&self, file: &[u8], options: &Options) -> Result<Summary, String>;
}

/// Texts in files of the format that say where they come from.
pub trait Metadata: Send + Sync {
    /// The texts, of all names that the format has, as far as they can be read.
    fn metadata<'f>(&self, file: &'f [u8]) -> Vec<Text<'f>>;

    /// The file with some of these texts changed, or why it cannot be written.
    fn with_metadata<'f>(
        &self,
        file: &'f [u8],
        changes: &[Change<'_>],
    ) -> Result<Pieces<'f>, String>;
}

/// Several versions of the format.
pub trait Versions: Send + Sync {
    /// The versions that a file can be brought to: a name and what it means.
    fn versions(&self) -> &'static [(&'static str, &'static str)];

    /// The whole file in one of these versions, or why it cannot be.
    fn to_version<'f>(&self, file: &'f [u8], version: &str) -> Result<Pieces<'f>, String>;
}

/// Changes to the data in files of the format.
pub trait Edit: Send + Sync {
    /// Writes the file with other data in it, or says why it cannot be changed so.
    fn edit<'f>(
        &self,
        file: &'f [u8],
        edits: &Edits<'f>,
        out: &mut dyn Write,
    ) -> Result<(), Unmade>;
}

/// Files of the format that are made from their items.
pub trait Pack: Send + Sync {
    /// Whether a manifest has an item; not what others are made of, too.
    fn is_packed(&self, _item: &Item<'_>) -> bool {
        true
    }

    /// Writes a file that is made of items, or says why there is none.
    fn pack(&self, packing: &Packing<'_>, out: &mut dyn Write) -> Result<(), Unmade>;
}

/// What every format answers, with or without an extra.
impl dyn Driver + '_ {
    /// What is walked one after the other: the whole file where the format has no [`Places`].
    pub fn parts(&self, file: &[u8], options: &Options) -> Vec<Part> {
        let places = self.extras().places;
        places.map_or_else(|| vec![Part::whole(file)], |places| places.parts(file, options))
    }

    /// Everything that can be extracted: nothing where the format has no [`Items`].
    pub fn list<'f>(&self, file: &'f [u8], stem: &str, options: &Options) -> Vec<Item<'f>> {
        let items = self.extras().items;
        items.map_or_else(Vec::new, |items| items.list(file, stem, options))
    }

    /// What a listing says about the file as a whole: nothing where the format has no [`Items`].
    pub fn totals(&self, file: &[u8], options: &Options) -> Vec<(&'static str, Value)> {
        let items = self.extras().items;
        items.map_or_else(Vec::new, |items| items.totals(file, options))
    }

    /// Every tensor: none where the format has no [`Tensors`].
    ///
    /// # Errors
    ///
    /// Not all of them can be read.
    pub fn tensors<'f>(
        &self,
        file: &'f [u8],
        options: &Options,
    ) -> Result<Vec<Tensor<'f>>, String> {
        let tensors = self.extras().tensors;
        tensors.map_or_else(|| Ok(Vec::new()), |tensors| tensors.tensors(file, options))
    }

    /// The options of the format: none where it has no [`Configure`].
    pub fn args(&self) -> Vec<Arg> {
        self.extras().configure.map_or_else(Vec::new, Configure::args)
    }
}
