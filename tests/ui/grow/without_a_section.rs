use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct File<'a> {
    #[bin(len = 4, grow = down)]
    space: &'a [u8],
}

fn main() {}
