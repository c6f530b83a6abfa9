use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(tag = kind, args(kind: &'a str))]
enum Demo<'a> {
    #[bin(id = b"RIFF")]
    Riff(Bytes<'a>),
}

#[derive(BinFormat)]
struct Bytes<'a>(#[bin(until_end)] &'a [u8]);

fn main() {}
