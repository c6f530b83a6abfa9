use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(tag = kind, args(kind: u32))]
enum Demo {
    #[bin(id = b"RIFF")]
    Riff,
}

fn main() {}
