use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little, tag = kind, args(kind: u8))]
enum Demo {
    #[bin(id = 1, codec = Xor(9))]
    Part(Part),
    #[bin(id = 2, codec = Xor(9))]
    Nothing,
}
struct Part;

fn main() {}
