use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct File {
    #[bin(at = 0, map(u8, from, into), view)]
    first: char,
}

fn main() {}
