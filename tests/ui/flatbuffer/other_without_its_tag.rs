use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(flatbuffer)]
enum Demo {
    #[bin(other)]
    One,
}

fn main() {}
