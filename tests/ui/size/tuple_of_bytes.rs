use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo<'a> {
    pair: (u8, &'a [u8]),
}

fn main() {}
