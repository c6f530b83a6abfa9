use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(flatbuffer)]
struct Demo {
    #[bin(slot = 0, union)]
    a: Option<Any>,
}

#[derive(BinFormat)]
#[bin(flatbuffer)]
enum Any {
    #[bin(id = 1)]
    One,
}

fn main() {}
