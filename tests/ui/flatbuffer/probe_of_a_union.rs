use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(flatbuffer, probe)]
enum Demo {
    #[bin(id = 1)]
    One,
}

fn main() {}
