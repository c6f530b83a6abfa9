use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(count = remaining)]
    data: Vec<u16>,
}

fn main() {}
