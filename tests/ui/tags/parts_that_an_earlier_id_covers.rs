use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(tag = (class, kind), args(class: u8, kind: u8))]
enum Demo {
    #[bin(id = (1, _))]
    One((u8, u8), u8),
    #[bin(id = (1, 2))]
    Two(u8),
}

fn main() {}
