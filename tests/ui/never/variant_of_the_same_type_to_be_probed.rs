use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(probe)]
enum Demo {
    First(u8),
    Second([u8; 2]),
    Third(u8),
}

fn main() {}
