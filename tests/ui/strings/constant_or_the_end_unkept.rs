use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(until = b'|' || remaining < 1)]
    text: String,
}

fn main() {}
