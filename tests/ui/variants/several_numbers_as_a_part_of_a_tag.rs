use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(tag = (class, kind), args(class: u8, kind: u8))]
enum Demo {
    #[bin(id = (5..=9, 2 | 3))]
    One((u8, u8), u8),
}

fn main() {}
