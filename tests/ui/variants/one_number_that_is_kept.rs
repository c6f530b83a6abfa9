use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[repr(u8)]
enum Demo {
    #[bin(id = 5)]
    One(u8),
}

fn main() {}
