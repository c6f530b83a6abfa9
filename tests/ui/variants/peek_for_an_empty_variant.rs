use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(peek = 8)]
enum Item {
    #[bin(magic = b"ONE")]
    One,
}

fn main() {}
