use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(new)]
enum Value {
    #[bin(magic = b"A")]
    One,
}

fn main() {}
