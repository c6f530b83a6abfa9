use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Text {
    #[bin(until = last == 0)]
    bytes: Vec<u8>,
}

fn main() {}
