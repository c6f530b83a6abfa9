use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(args(limit: u8))]
enum Item {
    #[bin(magic = b"A", args(limit))]
    One,
}

fn main() {}
