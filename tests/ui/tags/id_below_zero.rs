use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[repr(i8)]
enum Kind {
    First = 1,
    #[bin(id = -5..=-3)]
    Private(i8),
}

fn main() {}
