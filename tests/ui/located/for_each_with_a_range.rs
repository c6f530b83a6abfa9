use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(count = 2)]
    offsets: Vec<u32>,
    #[bin(for_each = offsets, at = it, range = 1..)]
    numbers: Vec<u8>,
}

fn main() {}
