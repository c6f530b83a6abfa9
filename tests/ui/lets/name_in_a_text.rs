use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little, let(end = at + len), warn(end < 9, "{end} is too much"))]
struct Demo {
    at: u8,
    #[bin(error(len < 9, "{len} up to {end}"))]
    len: u8,
}

fn main() {}
