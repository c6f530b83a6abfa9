use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct File {
    at: u8,
    #[bin(at = at, until_next)]
    body: u32,
}

fn main() {}
