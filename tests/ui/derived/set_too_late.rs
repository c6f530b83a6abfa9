use binfmt_runtime::BinFormat;

#[derive(BinFormat, Clone)]
struct Header {
    size: u8,
}

#[derive(BinFormat)]
struct Demo {
    #[bin(set(size = len(inside)))]
    header: Header,
    #[bin(pad_before = header.size)]
    first: u8,
    #[bin(len = header.size)]
    inside: Header,
}

fn main() {}
