//! The test files, made without any of the contestants.

mod buffers;
mod tables;

pub use buffers::{ptd, pte, rten};
pub use tables::{fatbin, payload, records, union, vpt};

/// A small generator of numbers that are the same on every run.
struct Numbers(u64);

impl Numbers {
    /// A number below `end`.
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits fit") % end
    }
}

fn u32_of(value: usize) -> [u8; 4] {
    u32::try_from(value).expect("the test file is small").to_le_bytes()
}

fn u64_of(value: usize) -> [u8; 8] {
    (value as u64).to_le_bytes()
}

fn pad(bytes: &mut Vec<u8>) {
    bytes.resize(bytes.len().next_multiple_of(8), 0);
}
