use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(len = remaining)]
    body: Vec<u8>,
    sum: u32,
}

fn main() {}
