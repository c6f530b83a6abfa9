use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
enum Item {
    #[bin(magic = b"A")]
    One(u32),
}

fn main() {}
