use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(big, args(wide: u16), error(-129 < low, "the number is low"))]
struct Demo {
    #[bin(check(kind > 255 || 0 > kind, "the kind is too small"))]
    kind: u8,
    low: i8,
    #[bin(if = kind == 300 && wide != 65_536, warn(!(127 < low), "the number is low"), until = last == 65_536)]
    list: Option<Vec<u16>>,
}

fn main() {}
