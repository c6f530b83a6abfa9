use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(flatbuffer)]
enum Demo {
    One,
}

fn main() {}
