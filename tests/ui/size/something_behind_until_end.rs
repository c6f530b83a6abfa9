use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    #[bin(until_end)]
    data: &'a [u8],
    crc: u32,
}

fn main() {}
