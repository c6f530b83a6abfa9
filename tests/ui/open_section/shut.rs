use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Page {
    #[bin(section = shut, len = 4)]
    heap: Vec<u8>,
}

fn main() {}
