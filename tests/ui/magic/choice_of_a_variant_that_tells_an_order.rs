use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
enum Demo {
    #[bin(magic = [b"II" => little, b"MM" => big])]
    Raw([u8; 2], u8),
}

fn main() {}
