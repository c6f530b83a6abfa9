use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(flatbuffer)]
struct Demo {
    #[bin(slot = 1, union)]
    a: Any,
}

#[derive(BinFormat)]
#[bin(flatbuffer)]
enum Any {
    #[bin(id = 1)]
    One,
}

fn main() {}
