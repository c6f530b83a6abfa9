use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[repr(i8)]
enum Demo {
    #[bin(id = 5..=9)]
    Few(i8),
    #[bin(id = 9..)]
    Many(i8),
    #[bin(id = 1 | 200)]
    TooMany(i8),
}

fn main() {}
