use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
enum Item {
    #[bin(magic = b"A")]
    One {},
    #[bin(magic = b"B")]
    Two(),
}

fn main() {}
