use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    #[bin(check(len(data) > 3, "too short"))]
    a: u8,
    #[bin(until_end)]
    data: &'a [u8],
}

fn main() {}
