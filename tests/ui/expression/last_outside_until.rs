use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(count = last)]
    items: Vec<[u8; 2]>,
}

fn main() {}
