use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(count = 3, unique)]
    a: Vec<f32>,
}

fn main() {}
