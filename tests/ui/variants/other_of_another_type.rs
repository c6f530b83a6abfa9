use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[repr(u8)]
enum Kind {
    One = 1,
    #[bin(other)]
    Rest(u16),
}

fn main() {}
