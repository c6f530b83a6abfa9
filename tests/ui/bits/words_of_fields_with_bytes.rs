use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little, bits = u16, lsb)]
struct Demo {
    #[bin(bits = 2, codec = Xor(1))]
    first: u8,
    #[bin(bits = 2, map(u8, from, into))]
    second: u8,
    #[bin(bits = 2, checksum(Sum, over = nothing))]
    third: u8,
    #[bin(bits = 2, set(nothing = 3))]
    fourth: u8,
    #[bin(bits = 2, shared, optional)]
    fifth: u8,
    #[bin(bits = 6, unique)]
    sixth: u8,
}

fn main() {}
