use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Packet {
    remaining: u8,
    #[bin(len = remaining)]
    body: Vec<u8>,
}

fn main() {}
