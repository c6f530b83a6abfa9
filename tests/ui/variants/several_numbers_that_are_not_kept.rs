use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[repr(u8)]
enum Demo {
    #[bin(id = 5..=9)]
    Several,
}

fn main() {}
