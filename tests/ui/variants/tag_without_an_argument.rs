use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(tag = kind)]
enum Demo {
    #[bin(id = 1)]
    One(u8),
    #[bin(id = 2)]
    Two,
}

fn main() {}
