use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(until = b"\0\0")]
    items: Vec<u16>,
}

fn main() {}
