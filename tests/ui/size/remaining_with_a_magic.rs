use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(magic = b"@", len = remaining)]
    data: Vec<u8>,
}

fn main() {}
