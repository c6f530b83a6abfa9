use binfmt_runtime::BinFormat;

#[derive(BinFormat, Clone)]
struct Header {
    size: u8,
}

#[derive(BinFormat)]
struct Demo {
    #[bin(set(size = total + 1))]
    header: Header,
    #[bin(calc = header.size + 1)]
    total: u8,
}

fn main() {}
