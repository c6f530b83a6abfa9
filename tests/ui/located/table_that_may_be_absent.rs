use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo<'a> {
    kind: u8,
    #[bin(if = kind == 1, prefix = u8)]
    offsets: Option<Vec<u32>>,
    #[bin(for_each = offsets, at = it, len = 4)]
    bodies: Vec<&'a [u8]>,
}

fn main() {}
