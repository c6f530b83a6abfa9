use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Flags {
    low: u32,
}

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(set(low = sum))]
    flags: Flags,
    #[bin(checksum(binfmt_runtime::Crc32, over = self))]
    sum: u32,
}

fn main() {}
