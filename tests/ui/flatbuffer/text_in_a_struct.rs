use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(flatbuffer, inline)]
struct Demo<'a> {
    #[bin(len = 3)]
    a: &'a str,
}

fn main() {}
