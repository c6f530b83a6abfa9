use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Value<'a> {
    #[bin(section, magic = b"A", len = 4)]
    bytes: &'a [u8],
}

fn main() {}
