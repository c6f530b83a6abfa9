use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(map(u8, u16::from, into_byte))]
    number: u16,
}

fn into_byte(number: &u16) -> Option<u16> {
    number.checked_sub(1)
}

fn main() {}
