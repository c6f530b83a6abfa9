use binfmt_runtime::BinFormat;

fn twice(count: u8) -> [u8; 2] {
    [count, count]
}

#[derive(BinFormat)]
struct Demo {
    count: u8,
    #[bin(calc = twice(count))]
    both: [u8; 2],
    #[bin(count = count)]
    items: Vec<[u8; 3]>,
}

fn main() {}
