use binfmt_runtime::BinFormat;

struct Inner {
    _number: u8,
}

#[derive(BinFormat)]
struct Demo {
    inner: Inner,
}

fn main() {}
