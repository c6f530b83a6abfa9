use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(until = peek(b'|') || remaining < 4)]
    text: String,
    more: [u8; 4],
}

fn main() {}
