use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Inner(u8);

#[derive(BinFormat)]
#[bin(computed(copy: Inner = inner))]
struct Demo {
    inner: Inner,
}

fn main() {}
