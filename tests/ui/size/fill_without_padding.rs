use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(fill = 0xff)]
    a: u8,
}

fn main() {}
