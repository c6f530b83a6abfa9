use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(prefix = i8)]
    text: String,
}

fn main() {}
