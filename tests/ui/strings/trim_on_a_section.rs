use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo<'a> {
    #[bin(section, len = 16, trim = 0)]
    room: &'a [u8],
}

fn main() {}
