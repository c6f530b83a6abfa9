use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(flatbuffer)]
enum Demo {
    #[bin(id = 1, other)]
    One(u8),
}

fn main() {}
