use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(pad_to = 2)]
    number: u32,
}

fn main() {}
