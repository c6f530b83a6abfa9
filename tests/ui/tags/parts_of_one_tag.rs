use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(tag = kind, args(kind: u8))]
enum Demo {
    #[bin(id = (1, 2))]
    One(u8),
}

fn main() {}
