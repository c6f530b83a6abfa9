use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(computed(half: binfmt_runtime::Leb128<u32> = number / 2))]
struct Value {
    number: u8,
}

fn main() {}
