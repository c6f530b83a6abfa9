use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(magic = b"MM")]
struct Inner {
    a: u8,
}

#[derive(BinFormat)]
struct Demo {
    #[bin(optional)]
    inner: Option<(Inner, u8)>,
}

fn main() {}
