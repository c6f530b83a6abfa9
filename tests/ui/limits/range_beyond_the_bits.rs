use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(bits = u8, lsb)]
struct Head {
    #[bin(bits = 4, range = 20..=99)]
    kind: u8,
    #[bin(bits = 4, one_of = [3, 17])]
    level: u8,
}

fn main() {}
