use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(flatbuffer)]
struct Demo {
    #[bin(slot = 0, default = 1 + 2)]
    a: u8,
}

fn main() {}
