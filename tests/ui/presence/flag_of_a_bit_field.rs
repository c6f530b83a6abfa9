use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(bits = u8, lsb)]
struct Head {
    #[bin(bits = 1)]
    wide: bool,
    #[bin(bits = 7)]
    rest: u8,
}

#[derive(BinFormat)]
struct Demo {
    head: Head,
    #[bin(flag = head.wide)]
    width: Option<u8>,
}

fn main() {}
