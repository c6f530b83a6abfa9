use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(tag = (class, kind & 15), args(class: u8, kind: u8))]
enum Demo {
    #[bin(id = (1, 2))]
    One(u8),
}

fn main() {}
