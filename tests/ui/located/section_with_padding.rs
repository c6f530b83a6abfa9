use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    #[bin(section, len = 8, align_after = 8)]
    room: &'a [u8],
}

fn main() {}
