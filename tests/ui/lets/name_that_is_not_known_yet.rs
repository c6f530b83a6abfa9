use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(let(half = number / 2))]
struct Value {
    #[bin(if = half > 3)]
    more: Option<u8>,
    number: u8,
}

fn main() {}
