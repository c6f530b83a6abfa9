use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(computed(ratio: f32 = number))]
struct Demo {
    number: u8,
}

fn main() {}
