use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(prefix = u8)]
    places: Vec<u8>,
    #[bin(for_each = places, at = it, until = 0)]
    lists: Vec<Vec<u8>>,
    #[bin(for_each = places, at = it, until = last == 0)]
    others: Vec<Vec<i8>>,
    #[bin(for_each = places, at = it, until = peek(b"|"))]
    peeked: Vec<String>,
}

fn main() {}
