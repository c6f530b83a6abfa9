use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
#[repr(u16)]
enum Kind {
    #[bin(id = 3)]
    One = 1,
}

fn main() {}
