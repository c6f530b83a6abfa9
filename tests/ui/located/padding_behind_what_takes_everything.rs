use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    at: u8,
    #[bin(at = at, until_end, pad_after = 1)]
    values: Vec<u8>,
}

#[derive(BinFormat)]
struct Optional {
    there: u8,
    #[bin(if = there > 0, until_end, pad_after = 1)]
    values: Option<Vec<u8>>,
}

fn main() {}
