use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[repr(u8)]
enum Kind {
    #[bin(magic = b"A")]
    One = 1,
}

fn main() {}
