use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(until_codec)]
    body: [u8; 4],
}

fn main() {}
