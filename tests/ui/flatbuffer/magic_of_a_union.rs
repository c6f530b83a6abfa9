use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(flatbuffer)]
enum Demo {
    #[bin(id = 1, magic = b"A")]
    One,
}

fn main() {}
