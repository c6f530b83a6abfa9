use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    scale: f32,
    #[bin(check(number > 1, "not with {scale:x}"))]
    number: u8,
}

fn main() {}
