use binfmt_runtime::{Auto, BinFormat};

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(calc = 4)]
    size: Auto<f32>,
}

fn main() {}
