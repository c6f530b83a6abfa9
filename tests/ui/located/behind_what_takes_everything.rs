use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    at: u8,
    #[bin(until_end)]
    rest: Vec<u8>,
    #[bin(at = at)]
    mark: u8,
}

fn main() {}
