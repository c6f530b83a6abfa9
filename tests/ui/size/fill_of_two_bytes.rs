use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(pad_after = 2, fill = 0x100)]
    a: u8,
}

fn main() {}
