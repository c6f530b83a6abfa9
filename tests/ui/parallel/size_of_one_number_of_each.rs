use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(prefix = u8)]
    table: Vec<u8>,
    #[bin(for_each = table, len = 4)]
    values: Vec<u8>,
}

fn main() {}
