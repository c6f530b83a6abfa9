use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    tag: [u8; 4],
    #[bin(check(tag > 3, "the tag is too low"))]
    a: u8,
}

fn main() {}
