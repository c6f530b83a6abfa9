use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(new, computed(new: u8 = number / 2))]
struct Demo {
    number: u8,
}

fn main() {}
