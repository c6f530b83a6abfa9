use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
#[repr(u16)]
enum Kind {
    #[bin(id = 3 | 4)]
    One(u16) = 1,
}

fn main() {}
