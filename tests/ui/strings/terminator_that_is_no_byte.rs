use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(until = 256)]
    text: String,
}

fn main() {}
