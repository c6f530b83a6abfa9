use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(prefix = u8, with = by_hand)]
    text: String,
}

mod by_hand {}

fn main() {}
