use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    #[bin(until = remaining < 4)]
    data: &'a [u8],
}

fn main() {}
