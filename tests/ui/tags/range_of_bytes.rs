use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(tag = kind, args(kind: [u8; 4]))]
enum Demo {
    #[bin(id = b"AAAA"..=b"BBBB")]
    Riff([u8; 4]),
}

fn main() {}
