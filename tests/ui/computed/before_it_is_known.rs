use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(computed(half: u8 = number / 2))]
struct Value {
    #[bin(if = half > 3)]
    more: Option<u8>,
    number: u8,
}

fn main() {}
