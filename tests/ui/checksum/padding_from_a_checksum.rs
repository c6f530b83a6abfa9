use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(args(seed: u32))]
struct Tail {
    #[bin(check(seed > 0, "no"))]
    data: u8,
}

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(checksum(Crc32, over = data))]
    sum: u32,
    #[bin(prefix = u8, pad_after = sum % 4)]
    data: Vec<u8>,
    #[bin(args(seed = sum))]
    tail: Tail,
}

fn main() {}
