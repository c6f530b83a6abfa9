use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(bits = u8, lsb)]
struct Demo {
    #[bin(bits = 3, magic = 8)]
    mark: (),
    #[bin(bits = 5)]
    rest: u8,
}

fn main() {}
