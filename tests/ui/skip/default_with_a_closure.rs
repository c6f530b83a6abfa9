use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(skip, default = (|| 1)())]
    kind: u8,
}

fn main() {}
