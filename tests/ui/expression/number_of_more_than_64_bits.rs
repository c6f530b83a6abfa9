use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(pad_after = 0x1_0000_0000_0000_0000)]
    a: u8,
}

fn main() {}
