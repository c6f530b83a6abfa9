use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[br(little, import(size: u8))]
struct Demo {
    #[br(temp, count = 3)]
    #[bw(calc = 3)]
    size: u8,
    #[brw(magic = b"A")]
    first: u8,
    #[deku(bytes = 3, cond = "size > 3")]
    second: u8,
}

fn main() {}
