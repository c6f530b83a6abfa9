use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo<'a> {
    #[bin(section, until = peek(b"END"))]
    room: &'a [u8],
}

fn main() {}
