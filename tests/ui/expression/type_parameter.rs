//! A value of a type parameter may be anything: it is no number, and has no fields that are known.

use binfmt_runtime::{BinFormat, Wire};

#[derive(BinFormat)]
#[bin(little)]
struct Number<T> {
    size: T,
    #[bin(len = size + 1)]
    body: Vec<u8>,
}

#[derive(BinFormat)]
#[bin(little)]
struct Condition<T> {
    kind: T,
    #[bin(if = kind == 1)]
    body: Option<u8>,
}

#[derive(BinFormat)]
#[bin(little)]
struct Part<T> {
    head: T,
    #[bin(len = head.size)]
    body: Vec<u8>,
}

#[derive(BinFormat)]
#[bin(little)]
struct Last<T> {
    #[bin(until = last == 0)]
    items: Vec<T>,
}

#[derive(BinFormat)]
#[bin(little)]
struct Table<T> {
    #[bin(prefix = u8)]
    table: Vec<T>,
    #[bin(for_each = table, at = it.offset, len = it.size)]
    values: Vec<Vec<u8>>,
}

#[derive(BinFormat)]
#[bin(little)]
struct Set<T> {
    #[bin(set(size = len(body)))]
    head: T,
    #[bin(until_end)]
    body: Vec<u8>,
}

/// What a function of the declaration says of it.
trait Sized {
    fn size(&self) -> u64;
}

fn size_of<T: Sized>(value: &T) -> u64 {
    value.size()
}

#[derive(BinFormat)]
#[bin(little)]
struct Called<'a, T: Wire<'a> + Sized> {
    head: T,
    #[bin(len = size_of(head))]
    body: &'a [u8],
}

fn main() {}
