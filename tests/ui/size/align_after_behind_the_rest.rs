use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little, align_after = 8)]
struct Demo {
    a: u8,
    #[bin(until_end)]
    rest: Vec<u16>,
}

fn main() {}
