use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(tag = kind, args(kinds: u8))]
enum Value {
    #[bin(id = 1)]
    One,
}

fn main() {}
