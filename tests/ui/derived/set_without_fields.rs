use binfmt_runtime::BinFormat;

#[derive(BinFormat, Clone)]
#[bin(little)]
struct Header {
    size: u32,
}

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(set())]
    header: Header,
}

fn main() {}
