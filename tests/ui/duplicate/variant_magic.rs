use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
enum Item {
    #[bin(magic = b"AB")]
    One,
    #[bin(magic = b"ABC")]
    Two,
}

fn main() {}
