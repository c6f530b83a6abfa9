use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(version = 3)]
enum Value {
    #[bin(magic = b"A")]
    One,
}

fn main() {}
