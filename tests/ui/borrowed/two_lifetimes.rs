use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo<'a, 'b> {
    #[bin(len = 4)]
    one: &'a [u8],
    #[bin(len = 4)]
    two: &'b [u8],
}

fn main() {}
