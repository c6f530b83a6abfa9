use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    pair: (u8, u8),
    #[bin(check(number > 1, "not beside {pair}"))]
    number: u8,
}

fn main() {}
