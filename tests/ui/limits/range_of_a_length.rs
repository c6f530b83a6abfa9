use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(prefix = u8)]
    data: Vec<u8>,
    #[bin(range = 0..=len(data))]
    place: i16,
}

fn main() {}
