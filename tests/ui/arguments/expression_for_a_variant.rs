use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little, tag = kind, args(kind: u8))]
enum Demo {
    #[bin(id = 1, args(kind + 1))]
    Part(Part),
}

struct Part;

fn main() {}
