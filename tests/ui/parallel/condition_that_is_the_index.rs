use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(count = 2)]
    offsets: Vec<u32>,
    #[bin(for_each = offsets, at = it, align_before = if index { 4 } else { 8 })]
    names: Vec<u16>,
}

fn main() {}
