use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(until = last == 0 || remaining == 0, pad_to = 16)]
    numbers: Vec<i8>,
}

fn main() {}
