use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(flatbuffer)]
struct Demo<T> {
    #[bin(slot = 0)]
    a: T,
}

fn main() {}
