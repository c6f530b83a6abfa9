use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(is_big = true, import(size: u8), repr = u8, id_type = "u8", ctx = "size: u8")]
struct Demo {
    #[bin(temp)]
    size: u8,
    #[bin(ignore)]
    cache: u8,
    #[bin(parse_with = read)]
    first: u8,
    #[bin(try_map = convert)]
    second: u8,
    #[bin(pre_assert(size > 3))]
    third: u8,
    #[bin(try)]
    fourth: u8,
    #[bin(restore_position)]
    fifth: u8,
    #[bin(endian = "big", offset = size, pad_bits_after = 3, stream = s)]
    sixth: u8,
}

fn main() {}
