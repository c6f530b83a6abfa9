use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    ratio: f32,
    #[bin(check(ratio > 1, "the ratio is too low"))]
    a: u8,
}

fn main() {}
