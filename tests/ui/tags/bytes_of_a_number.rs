use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(calc = tag(body))]
    kind: [u8; 4],
    body: Body,
}

#[derive(BinFormat)]
#[bin(tag = kind, args(kind: u8 = 1))]
enum Body {
    #[bin(id = 1)]
    Body,
}

fn main() {}
