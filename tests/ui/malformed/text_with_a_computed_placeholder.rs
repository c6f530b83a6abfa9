use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(check(a > 0, "a is {a.b}"))]
    a: u8,
}

fn main() {}
