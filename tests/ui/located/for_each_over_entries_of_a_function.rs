use binfmt_runtime::BinFormat;

#[derive(BinFormat, Clone)]
struct Slot {
    offset: u8,
}

#[derive(BinFormat)]
struct Demo {
    #[bin(with = table)]
    slots: Vec<Slot>,
    #[bin(for_each = slots, at = it.offset, nul)]
    names: Vec<String>,
}

mod table {}

fn main() {}
