use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
#[repr(u16)]
enum Kind {
    First = 1,
    #[bin(id = (2, _))]
    Private(u16),
}

fn main() {}
