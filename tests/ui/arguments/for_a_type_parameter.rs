use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct One<T> {
    count: u8,
    #[bin(args(size = count))]
    value: T,
}

#[derive(BinFormat)]
struct Many<T> {
    #[bin(prefix = u8, args(size = 4))]
    values: Vec<T>,
    #[bin(args(size = 4))]
    boxed: Box<T>,
}

#[derive(BinFormat)]
enum Either<T> {
    #[bin(magic = b"L", args(size = 4))]
    Left(T),
    #[bin(magic = b"R")]
    Right,
}

fn main() {}
