use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
#[repr(u16)]
enum Kind {
    #[bin(number = 3)]
    One = 1,
}

fn main() {}
