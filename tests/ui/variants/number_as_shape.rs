use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
enum Item {
    #[bin(magic = b"A")]
    One(u32),
}

fn main() {}
