use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    delta: i32,
    size: u32,
    #[bin(check(delta < size, "too far"))]
    a: u8,
}

fn main() {}
