use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(args(last = previous.status or 0))]
    events: [Event; 3],
}

#[derive(BinFormat)]
#[bin(args(last: u8), check(last < 9, "it is"))]
struct Event {
    status: u8,
}

fn main() {}
