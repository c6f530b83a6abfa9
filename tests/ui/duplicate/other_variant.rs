use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[repr(u8)]
enum Kind {
    #[bin(other)]
    One(u8),
    #[bin(other)]
    Two(u8),
}

fn main() {}
