use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(computed(half: usize = number / 2))]
struct Demo {
    number: u8,
}

fn main() {}
