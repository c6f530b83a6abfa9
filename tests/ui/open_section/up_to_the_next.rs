use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Record {
    name_at: u8,
    #[bin(at = name_at, until_next, place = around)]
    name: Vec<u8>,
}

fn main() {}
