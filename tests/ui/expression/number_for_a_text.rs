use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(check(is_short(n), "it is long"))]
    n: u8,
}

fn is_short(text: &str) -> bool {
    text.len() < 4
}

fn main() {}
