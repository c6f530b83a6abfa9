use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
enum Demo {
    #[bin(magic = b"A")]
    Both((u8, u16)),
}

fn main() {}
