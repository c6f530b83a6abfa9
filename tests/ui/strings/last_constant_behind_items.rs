use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(until = peek_last(b"END"))]
    items: Vec<[u8; 2]>,
}

fn main() {}
