use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Head {
    low: u8,
    high: i8,
}

#[derive(BinFormat)]
struct Demo {
    head: Head,
    #[bin(len = if head.low > 3 { head.low } else { head.high })]
    data: Vec<u8>,
}

fn main() {}
