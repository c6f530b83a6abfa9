use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(until_end, args(last = previous.status))]
    events: Vec<Event>,
}

#[derive(BinFormat)]
#[bin(args(last: u8), check(last < 9, "it is"))]
struct Event {
    status: u8,
}

fn main() {}
