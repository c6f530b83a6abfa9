use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(pad_after = 2, fill = "PAD")]
    a: u8,
}

fn main() {}
