use binfmt_runtime::BinFormat;

fn copy(of: &[u8]) -> u32 {
    of.first().copied().unwrap_or(0).into()
}

#[derive(BinFormat)]
struct Demo {
    #[bin(calc = copy(second))]
    first: [u8; 4],
    #[bin(prefix = u8)]
    second: Vec<u8>,
}

fn main() {}
