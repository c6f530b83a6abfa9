use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(flatbuffer)]
enum Demo {
    #[bin(slots = 2, id = 1)]
    One(Two),
}

#[derive(BinFormat)]
#[bin(flatbuffer)]
struct Two {}

fn main() {}
