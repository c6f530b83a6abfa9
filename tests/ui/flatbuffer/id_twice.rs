use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(flatbuffer)]
enum Demo {
    #[bin(id = 1)]
    One,
    #[bin(id = 1)]
    Two,
}

fn main() {}
