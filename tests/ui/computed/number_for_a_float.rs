use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(computed(half: f32 = number / 2))]
struct Demo {
    number: u8,
}

fn main() {}
