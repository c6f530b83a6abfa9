use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct File<'a> {
    #[bin(checksum(binfmt_runtime::Crc32, over = name))]
    sum: u32,
    #[bin(at = 0, len = 2, view)]
    name: &'a [u8],
}

fn main() {}
