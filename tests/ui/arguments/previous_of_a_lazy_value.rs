use binfmt_runtime::{BinFormat, Lazy};

#[derive(BinFormat)]
struct Demo<'a> {
    #[bin(until_end, args(last = previous.status or 0))]
    event: Lazy<'a, Event>,
}

#[derive(BinFormat)]
#[bin(args(last: u8), check(last < 9, "it is"))]
struct Event {
    status: u8,
}

fn main() {}
