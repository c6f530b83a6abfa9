use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct File {
    #[bin(at = 0, calc = 1, view)]
    first: u8,
}

fn main() {}
