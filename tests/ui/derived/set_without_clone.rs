use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Head {
    kind: u8,
}

#[derive(BinFormat)]
struct Demo {
    #[bin(set(kind = 3))]
    head: Head,
}

fn main() {}
