use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(calc = tag(body))]
    kind: Kind,
    #[bin(args(kind))]
    body: Body,
    #[bin(if = tag(body) == -1)]
    more: Option<u8>,
    #[bin(if = 0 > len(body))]
    less: Option<u8>,
}

#[derive(BinFormat, Clone, Copy, PartialEq)]
#[repr(i8)]
enum Kind {
    None = -1,
    One = 1,
}

#[derive(BinFormat)]
#[bin(tag = kind, args(kind: Kind))]
enum Body {
    #[bin(id = Kind::None)]
    None,
    #[bin(id = Kind::One)]
    One(u8),
}

fn main() {}
