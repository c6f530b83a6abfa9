use binfmt_runtime::{BinFormat, LinkedSeq};

#[derive(BinFormat)]
struct Demo<'a> {
    first: u8,
    #[bin(until_end, args(last = previous.status + first or first))]
    events: LinkedSeq<'a, Event>,
}

#[derive(BinFormat)]
#[bin(args(last: u8), check(last < 9, "it is"))]
struct Event {
    status: u8,
}

fn main() {}
