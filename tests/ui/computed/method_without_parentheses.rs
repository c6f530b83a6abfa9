use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(computed(twice: u16 = n * 2))]
struct Head {
    n: u8,
}

#[derive(BinFormat)]
struct Demo<'a> {
    head: Head,
    #[bin(len = head.twice)]
    bytes: &'a [u8],
}

fn main() {}
