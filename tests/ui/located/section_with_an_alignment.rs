use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    count: u8,
    #[bin(section, until_end, align_before = 8)]
    room: &'a [u8],
}

fn main() {}
