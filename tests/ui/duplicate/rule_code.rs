use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(check(a > 0, "a is 0", code = "range"))]
    a: u8,
    #[bin(check(b > 0, "b is 0", code = "range"))]
    b: u8,
}

fn main() {}
