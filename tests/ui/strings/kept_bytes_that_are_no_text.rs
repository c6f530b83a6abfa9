use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(until = kept(0xff))]
    text: String,
}

fn main() {}
