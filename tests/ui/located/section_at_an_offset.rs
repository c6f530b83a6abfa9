use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    offset: u32,
    #[bin(section, at = offset, len = 8)]
    room: &'a [u8],
}

fn main() {}
