use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(until = b'|')]
    number: u8,
}

fn main() {}
