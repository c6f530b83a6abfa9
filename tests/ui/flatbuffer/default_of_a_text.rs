use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(flatbuffer)]
struct Demo<'a> {
    #[bin(slot = 0, default = "x")]
    a: &'a str,
}

fn main() {}
