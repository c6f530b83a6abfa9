use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct File {
    #[bin(at = 1, view = 2)]
    item: u8,
}

fn main() {}
