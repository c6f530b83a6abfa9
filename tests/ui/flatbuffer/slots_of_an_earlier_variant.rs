use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(flatbuffer)]
enum Demo {
    #[bin(slots = 2)]
    One(Two),
    #[bin(slots = 2)]
    Other(Two),
}

#[derive(BinFormat)]
#[bin(flatbuffer)]
struct Two {}

fn main() {}
