use binfmt_runtime::{BinFormat, LinkedSeq};

#[derive(BinFormat)]
struct Demo<'a> {
    #[bin(until_end, args(last = 3))]
    events: LinkedSeq<'a, Event>,
}

#[derive(BinFormat)]
#[bin(args(last: u8), check(last < 9, "it is"))]
struct Event {
    status: u8,
}

fn main() {}
