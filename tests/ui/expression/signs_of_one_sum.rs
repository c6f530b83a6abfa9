use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little, check(shift + size > 3, "no"), check(shift < 3 && size < 3, "no"))]
struct Demo {
    shift: i16,
    size: u16,
}

fn main() {}
