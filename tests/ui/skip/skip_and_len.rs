use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(skip, len = 4)]
    data: Vec<u8>,
}

fn main() {}
