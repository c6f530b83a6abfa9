use binfmt_runtime::BinFormat;

struct Cache;

#[derive(BinFormat)]
struct Demo {
    id: u8,
    #[bin(skip)]
    cache: Cache,
}

fn main() {}
