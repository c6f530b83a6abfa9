use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
enum Demo {
    #[bin(slots = 1)]
    One(Two),
}

#[derive(BinFormat)]
struct Two {
    a: u8,
}

fn main() {}
