use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
union Item {
    one: u8,
    two: u8,
}

fn main() {}
