use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(section, len = remaining)]
    rows: Vec<u8>,
    #[bin(at = len(rows) - 2, place = rows)]
    last: Last,
    #[bin(at = len(rows) - len(last) - 4, place = rows)]
    footer: [u8; 4],
}

#[derive(BinFormat)]
struct Last {
    both: [u8; 2],
}

fn main() {}
