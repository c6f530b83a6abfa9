//! One input of a declared type, for laws that are the same for all types.

use alloc::vec::Vec;
use core::fmt::Debug;

use super::errors;
use super::hold::is_shorter;
use crate::BinFormat;
use crate::finding::Error;
use crate::layout::Layout;
use crate::report::Report;
use crate::tree::Tree;

/// What can be done with the bytes of an input; the type that reads them is not named, so that the
/// laws are compiled once.
pub(super) trait Input {
    /// The declaration.
    fn layout(&self) -> &'static Layout;
    /// The whole input.
    fn bytes(&self) -> &[u8];
    /// Whether all of it can be read.
    fn is_valid(&self) -> bool;
    /// What a validator says.
    fn report(&self) -> Report;
    /// What an inspector sees.
    fn tree(&self) -> Tree;
    /// Reads the value; the answer is whether a lazy part of it cannot be read.
    fn read(&self) -> Result<bool, Error>;
    /// Reads a value at the start, and writes it; the other answer is how many bytes were read.
    fn rewrite(&self) -> Result<(usize, Result<Vec<u8>, Error>), Error>;
    /// Whether more bytes behind a value could change what is read.
    fn is_open(&self) -> bool;
    /// Reads a value from so many bytes; how many it has.
    fn prefix(&self, len: usize) -> Result<usize, Error>;
    /// Whether bytes are read and written again as they are. They are leaked, for a value may borrow from them.
    fn is_stable(&self, bytes: Vec<u8>) -> bool;
    /// Whether what is written of it has a shorter number where both begin to differ, and is stable.
    fn is_shorter(&self, written: &[u8], first: u64) -> bool;
}

/// An input with the type and the arguments that it is read with.
pub(super) struct Read<'a, T: BinFormat<'a>> {
    pub(super) bytes: &'a [u8],
    pub(super) args: T::Args,
}

impl<'a, T: BinFormat<'a> + Debug> Input for Read<'a, T> {
    fn layout(&self) -> &'static Layout {
        T::WIRE
    }

    fn bytes(&self) -> &[u8] {
        self.bytes
    }

    fn is_valid(&self) -> bool {
        T::is_valid_with(self.bytes, self.args)
    }

    fn report(&self) -> Report {
        T::validate_with(self.bytes, self.args)
    }

    fn tree(&self) -> Tree {
        T::inspect_with(self.bytes, self.args)
    }

    fn read(&self) -> Result<bool, Error> {
        let value = T::parse_with(self.bytes, self.args)?;
        // Items of lazy parts come as errors when they are iterated, which `Debug` does.
        Ok(errors::are_in(&value))
    }

    fn rewrite(&self) -> Result<(usize, Result<Vec<u8>, Error>), Error> {
        let (value, rest) = T::parse_prefix_with(self.bytes, self.args)?;
        let read = self.bytes.len().saturating_sub(rest.len());
        Ok((read, value.to_vec_with(self.args)))
    }

    fn is_open(&self) -> bool {
        T::OPEN.holds()
    }

    fn prefix(&self, len: usize) -> Result<usize, Error> {
        let bytes = self.bytes.get(..len).unwrap_or(self.bytes);
        let (_, rest) = T::parse_prefix_with(bytes, self.args)?;
        Ok(bytes.len().saturating_sub(rest.len()))
    }

    fn is_stable(&self, bytes: Vec<u8>) -> bool {
        let bytes: &'a [u8] = bytes.leak();
        let again = T::parse_with(bytes, self.args).and_then(|value| value.to_vec_with(self.args));
        again.is_ok_and(|again| again == bytes)
    }

    fn is_shorter(&self, written: &[u8], first: u64) -> bool {
        let bytes: &'a [u8] = written.to_vec().leak();
        is_shorter(&self.tree(), &T::inspect_with(bytes, self.args), first)
            && self.is_stable(written.to_vec())
    }
}
