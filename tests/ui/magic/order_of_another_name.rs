use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(endian = magic, magic = [b"II" => le, b"MM" => big])]
struct Value {
    #[bin(magic)]
    mark: [u8; 2],
}

fn main() {}
