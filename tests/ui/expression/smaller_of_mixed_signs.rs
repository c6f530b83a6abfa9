use binfmt_runtime::BinFormat;

fn is_right(_: i64) -> bool {
    true
}

#[derive(BinFormat)]
struct Demo {
    #[bin(check(is_right(min(-1, size)), "the size is wrong"))]
    size: u8,
}

fn main() {}
