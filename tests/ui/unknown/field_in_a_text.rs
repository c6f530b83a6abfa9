use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(check(size > 0, "{sise} is no size"))]
    size: u32,
}

fn main() {}
