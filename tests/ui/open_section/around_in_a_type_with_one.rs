use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    text_at: u8,
    #[bin(at = text_at, place = around, prefix = u8)]
    text: Vec<u8>,
    len: u8,
    #[bin(section = open, len = len)]
    heap: Vec<u8>,
    part_at: u8,
    #[bin(at = part_at, place = heap)]
    part: u8,
}

fn main() {}
