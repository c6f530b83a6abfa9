use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(computed(half: u8 = number / 2))]
struct Value {
    #[bin(check(first > 3, "{half} is more"))]
    first: u8,
    number: u8,
}

fn main() {}
