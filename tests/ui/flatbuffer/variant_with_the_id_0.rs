use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(flatbuffer)]
enum Demo {
    #[bin(id = 0)]
    One,
}

fn main() {}
