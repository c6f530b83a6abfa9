use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo<'a> {
    at: u8,
    #[bin(calc = end(data))]
    end: u8,
    #[bin(at = at, len = 4)]
    data: &'a [u8],
}

fn main() {}
