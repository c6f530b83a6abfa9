use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(flatbuffer, identifier = b"DEMO")]
enum Demo {
    #[bin(slots = 2)]
    One(Two),
}

#[derive(BinFormat)]
#[bin(flatbuffer)]
struct Two {}

fn main() {}
