use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(magic = b"MM")]
struct Inner {
    a: u8,
}

#[derive(BinFormat)]
struct Demo {
    #[bin(optional, prefix = u8)]
    inner: Option<Inner>,
}

fn main() {}
