use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    mark: u8,
    #[bin(until = mark)]
    text: String,
}

fn main() {}
