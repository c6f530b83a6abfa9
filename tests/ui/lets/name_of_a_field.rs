use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(let(number = 3), check(number == 3, "it is not 3"))]
struct Value {
    number: u8,
}

fn main() {}
