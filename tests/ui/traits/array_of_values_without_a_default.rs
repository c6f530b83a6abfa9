use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Shape {
    kind: u8,
}

#[derive(BinFormat)]
struct Shapes {
    two: [Shape; 2],
}

fn main() {}
