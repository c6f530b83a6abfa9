use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little, args(wide: bool))]
enum Item {
    #[bin(args(wide))]
    One(u32),
}

fn main() {}
