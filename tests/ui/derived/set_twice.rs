use binfmt_runtime::BinFormat;

#[derive(BinFormat, Clone)]
#[bin(little)]
struct Header {
    size: u32,
}

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(set(size = len(data), size = 4))]
    header: Header,
    #[bin(until_end)]
    data: Vec<u8>,
}

fn main() {}
