use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(tag = (class, kind), args(class: [u8; 2], kind: u8))]
enum Demo {
    #[bin(id = (1, 2))]
    One(u8),
    #[bin(id = (b"AB", 300))]
    Two(u8),
    #[bin(id = (b"AB", (1, 2)))]
    Three(u8),
}

fn main() {}
