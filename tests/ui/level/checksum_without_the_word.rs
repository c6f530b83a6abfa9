use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(level(checksum = note))]
    a: u8,
}

fn main() {}
