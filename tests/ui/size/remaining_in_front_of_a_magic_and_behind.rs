use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo<'a> {
    kind: u8,
    #[bin(magic = b"DATA", if = remaining > 4, len = remaining - 2)]
    data: Option<&'a [u8]>,
    end: [u8; 2],
}

fn main() {}
