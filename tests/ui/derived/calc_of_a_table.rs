use binfmt_runtime::BinFormat;

fn rows(n: u8) -> Vec<Row> {
    (0..n).map(|at| Row { at }).collect()
}

#[derive(BinFormat)]
struct Row {
    at: u8,
}

#[derive(BinFormat)]
struct Demo {
    n: u8,
    #[bin(calc = rows(n), prefix = u8)]
    table: Vec<Row>,
    #[bin(for_each = table, at = it.at, len = 1)]
    bodies: Vec<Vec<u8>>,
}

fn main() {}
