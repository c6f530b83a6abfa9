//! A format, and something that it has beside its declaration.

use std::io::Write;
use std::sync::Arc;

use binfmt_runtime::{Events, Layout, Rule};
use clap::{Arg, ArgMatches};

use crate::driver::{
    Build, Checked, Configure, Driver, Edit, Extras, Items, Metadata, Options, Pack, Part, Places,
    Summarize, Tensors, Unmade, Versions,
};

use super::{Format, driver};

/// Adds something to what a format has.
type Add<T> = for<'d> fn(&'d T, &mut Extras<'d>);

/// What a format can have beside its declaration; what is added takes the place of what it had.
impl Format {
    /// Something to list and to extract.
    #[must_use]
    pub fn items(self, items: impl Items + 'static) -> Self {
        self.with(items, |items, extras| extras.items = Some(items))
    }

    /// Places in host files.
    #[must_use]
    pub fn places(self, places: impl Places + 'static) -> Self {
        self.with(places, |places, extras| extras.places = Some(places))
    }

    /// Tensors.
    #[must_use]
    pub fn tensors(self, tensors: impl Tensors + 'static) -> Self {
        self.with(tensors, |tensors, extras| extras.tensors = Some(tensors))
    }

    /// A way to make its files from tensors.
    #[must_use]
    pub fn build(self, build: impl Build + 'static) -> Self {
        self.with(build, |build, extras| extras.build = Some(build))
    }

    /// What makes its files big.
    #[must_use]
    pub fn summarize(self, summarize: impl Summarize + 'static) -> Self {
        self.with(summarize, |summarize, extras| extras.summarize = Some(summarize))
    }

    /// Texts that say where a file comes from.
    #[must_use]
    pub fn metadata(self, metadata: impl Metadata + 'static) -> Self {
        self.with(metadata, |metadata, extras| extras.metadata = Some(metadata))
    }

    /// Several versions.
    #[must_use]
    pub fn versions(self, versions: impl Versions + 'static) -> Self {
        self.with(versions, |versions, extras| extras.versions = Some(versions))
    }

    /// Changes to the data in its files.
    #[must_use]
    pub fn edit(self, edit: impl Edit + 'static) -> Self {
        self.with(edit, |edit, extras| extras.edit = Some(edit))
    }

    /// A way to make its files from their items.
    #[must_use]
    pub fn pack(self, pack: impl Pack + 'static) -> Self {
        self.with(pack, |pack, extras| extras.pack = Some(pack))
    }

    fn with<T: Send + Sync + 'static>(self, more: T, add: Add<T>) -> Self {
        driver(With { format: self, more: Arc::new(more), add })
    }
}

struct With<T> {
    format: Format,
    more: Arc<T>,
    add: Add<T>,
}

impl<T: Send + Sync + 'static> Driver for With<T> {
    fn name(&self) -> &'static str {
        self.format.driver().name()
    }

    fn layout(&self) -> &'static Layout {
        self.format.driver().layout()
    }

    fn about(&self) -> &'static str {
        self.format.driver().about()
    }

    fn rules(&self) -> Vec<&'static [Rule]> {
        self.format.driver().rules()
    }

    fn detect(&self, file: &[u8]) -> bool {
        self.format.driver().detect(file)
    }

    fn is_without_magic(&self) -> bool {
        self.format.driver().is_without_magic()
    }

    fn validate(&self, file: &[u8], options: &Options) -> Checked {
        self.format.driver().validate(file, options)
    }

    fn walk(&self, file: &[u8], part: &Part, options: &Options, events: &mut dyn Events) {
        self.format.driver().walk(file, part, options, events);
    }

    fn compacted(&self, file: &[u8], options: &Options) -> Option<Vec<u8>> {
        self.format.driver().compacted(file, options)
    }

    fn rewrite_to(
        &self,
        file: &[u8],
        options: &Options,
        out: &mut dyn Write,
    ) -> Result<(), Unmade> {
        self.format.driver().rewrite_to(file, options, out)
    }

    fn extras(&self) -> Extras<'_> {
        let mut extras = self.format.driver().extras();
        if extras.configure.is_some() {
            extras.configure = Some(self);
        }
        (self.add)(&self.more, &mut extras);
        extras
    }
}

/// A format that is told its options keeps what was added.
impl<T: Send + Sync + 'static> Configure for With<T> {
    fn args(&self) -> Vec<Arg> {
        self.format.driver().args()
    }

    fn configured(&self, matches: &ArgMatches) -> Option<Format> {
        let format = self.format.driver().extras().configure?.configured(matches)?;
        Some(driver(Self { format, more: Arc::clone(&self.more), add: self.add }))
    }
}

#[cfg(test)]
mod tests {
    use binfmt_runtime::BinFormat;

    use super::*;
    use crate::fake::{Fake, GOOD, OPTIONS};
    use crate::format;

    #[derive(BinFormat)]
    #[bin(little, magic = b"BOXS")]
    struct Boxes {
        first: u8,
    }

    #[test]
    fn declared_type_has_what_is_added_and_keeps_the_rest() {
        let plain = format::<Boxes>("boxes");
        assert!(plain.driver().list(GOOD, "x", &OPTIONS).is_empty());
        let more = plain.items(Fake).places(Fake);
        let driver = more.driver();
        assert_eq!((driver.name(), driver.layout().name), ("boxes", "Boxes"));
        assert_eq!(driver.list(GOOD, "x", &OPTIONS).len(), 2);
        assert!(driver.extras().places.unwrap().prove(GOOD, 0, &OPTIONS).is_ok());
        assert_eq!(driver.rewrite(&GOOD[..5], &OPTIONS), Ok(GOOD[..5].to_vec()));
    }

    #[test]
    fn options_of_a_format_survive_what_is_added() {
        struct Told;

        impl Configure for Told {
            fn args(&self) -> Vec<Arg> {
                vec![Arg::new("told")]
            }

            fn configured(&self, _: &ArgMatches) -> Option<Format> {
                Some(format::<Boxes>("told"))
            }
        }

        let format = format::<Boxes>("boxes");
        let told = format.with(Told, |told, extras| extras.configure = Some(told));
        let format = told.items(Fake);
        assert_eq!(format.driver().args().len(), 1);
        let matches = clap::Command::new("x").get_matches_from(["x"]);
        let told = format.driver().extras().configure.unwrap().configured(&matches).unwrap();
        assert_eq!(told.driver().name(), "told");
        assert_eq!(told.driver().list(GOOD, "x", &OPTIONS).len(), 2);
    }
}
