use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(probe)]
enum Demo<T> {
    One(T),
    Other(u8),
}

fn main() {}
