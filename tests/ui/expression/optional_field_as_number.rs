use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    n: u8,
    #[bin(if = n > 1)]
    size: Option<f32>,
    #[bin(len = size)]
    data: &'a [u8],
}

fn main() {}
