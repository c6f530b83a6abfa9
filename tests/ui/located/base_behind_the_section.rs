use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    offset: u32,
    #[bin(section, len = 4)]
    names: &'a [u8],
    behind: u32,
    #[bin(at = offset, base = behind, place = names, len = 1)]
    name: &'a [u8],
}

fn main() {}
