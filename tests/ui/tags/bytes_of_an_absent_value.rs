use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(calc = tag(body))]
    kind: [u8; 4],
    #[bin(if = kind != b"NONE", args(kind))]
    body: Option<Body>,
}

#[derive(BinFormat)]
#[bin(tag = kind, args(kind: [u8; 4]))]
enum Body {
    #[bin(id = b"BODY")]
    Body,
}

fn main() {}
