use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Packets {
    remaining: u8,
    #[bin(until = remaining < 2)]
    all: Vec<[u8; 2]>,
    #[bin(until = last == 0 || remaining < 1)]
    more: Vec<u16>,
    #[bin(until = peek(7) || remaining < 1)]
    others: Vec<u16>,
}

fn main() {}
