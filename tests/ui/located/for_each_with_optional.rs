use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo<'a> {
    version: u8,
    rows: [u8; 4],
    #[bin(for_each = rows, at = it, len = 1, optional)]
    bodies: Vec<&'a [u8]>,
}

fn main() {}
