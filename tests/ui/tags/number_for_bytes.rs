use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(tag = kind, args(kind: [u8; 4]))]
enum Demo {
    #[bin(id = 3)]
    Riff,
}

fn main() {}
