use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    wide: u8,
    #[bin(if = wide > 1)]
    map: Option<u64>,
    #[bin(flag = map & 1)]
    a: Option<u8>,
    #[bin(flag = map & 1 << 4 == 0)]
    b: Option<u8>,
}

fn main() {}
