use binfmt_runtime::BinFormat;

fn copy(of: &[u8]) -> Vec<u8> {
    of.to_vec()
}

#[derive(BinFormat)]
struct Demo {
    #[bin(calc = copy(second), prefix = u8)]
    first: Vec<u8>,
    #[bin(calc = copy(third), prefix = u8)]
    second: Vec<u8>,
    #[bin(prefix = u8)]
    third: Vec<u8>,
}

fn main() {}
