use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(check(number > 1, "{number:.*} is too small"))]
    number: u8,
}

fn main() {}
