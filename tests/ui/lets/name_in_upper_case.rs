use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(let(Half = number / 2))]
struct Value {
    #[bin(check(Half > 3, "it is small"))]
    number: u8,
}

fn main() {}
