use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Head {
    size: u16,
}

#[derive(BinFormat)]
struct Demo {
    kind: u8,
    #[bin(if = kind == 1)]
    head: Option<Head>,
    #[bin(len = head.size)]
    body: Vec<u8>,
}

fn main() {}
