use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct File<'a> {
    #[bin(section, len = 4, grow = up)]
    space: &'a [u8],
}

fn main() {}
