use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[repr(u8)]
enum Demo {
    First,
    #[bin(id = 5..=9)]
    Several(u8),
    Last,
}

fn main() {}
