use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(until = b"")]
    text: String,
}

fn main() {}
