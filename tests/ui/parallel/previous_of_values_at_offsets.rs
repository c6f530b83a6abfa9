use binfmt_runtime::BinFormat;

#[derive(BinFormat, Clone)]
struct Row {
    at: u8,
    end: u8,
}

#[derive(BinFormat)]
struct Index {
    #[bin(prefix = u8)]
    rows: Vec<Row>,
    #[bin(for_each = rows, at = it.at, len = it.end - (previous.end or 0))]
    texts: Vec<String>,
}

fn main() {}
