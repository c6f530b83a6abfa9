use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(computed(from: u32 = start(data)))]
struct Value {
    #[bin(prefix = u8)]
    data: Vec<u8>,
}

fn main() {}
