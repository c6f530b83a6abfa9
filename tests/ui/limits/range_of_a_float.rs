use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(range = 0..=1)]
    a: f32,
}

fn main() {}
