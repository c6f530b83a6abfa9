use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    scale: u8,
    #[bin(map(u16, scaled, unscaled), args(by = scale))]
    size: u64,
}

fn main() {}
