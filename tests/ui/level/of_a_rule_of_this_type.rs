use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(warn(a > 0, "zero", code = "zero"), level("zero" = note))]
    a: u8,
}

fn main() {}
