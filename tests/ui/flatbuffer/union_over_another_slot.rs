use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(flatbuffer)]
struct Demo {
    #[bin(slot = 0)]
    a: u8,
    #[bin(slot = 1, union)]
    b: Option<Any>,
}

#[derive(BinFormat)]
#[bin(flatbuffer)]
enum Any {
    #[bin(id = 1)]
    One,
}

fn main() {}
