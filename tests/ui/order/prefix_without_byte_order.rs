use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(prefix = u16)]
    text: String,
}

fn main() {}
