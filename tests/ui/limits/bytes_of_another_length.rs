use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(one_of = [b"II", b"M"])]
    order: [u8; 2],
}

fn main() {}
