use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Page {
    #[bin(section = open, len = 4, grow = down)]
    heap: Vec<u8>,
}

fn main() {}
