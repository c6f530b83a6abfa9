use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo<'a> {
    #[bin(section, prefix = u8)]
    room: &'a [u8],
}

fn main() {}
