use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(until_end)]
    data: &'static [u8],
}

fn main() {}
