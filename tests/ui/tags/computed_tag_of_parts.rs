use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat)]
#[bin(tag = (class, kind), args(class: u8, kind: u8))]
enum Demo {
    #[bin(id = (1, 2))]
    One(u8),
}

#[derive(BinFormat)]
struct Outer {
    #[bin(calc = tag(demo))]
    class: Auto<u8>,
    kind: u8,
    #[bin(args(class, kind))]
    demo: Demo,
}

fn main() {}
