use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little, tag = kind, args(kind: u8))]
enum Demo {
    #[bin(id = 1, until_codec)]
    Part(Part),
    #[bin(id = 2, until_codec)]
    Nothing,
}
struct Part;

fn main() {}
