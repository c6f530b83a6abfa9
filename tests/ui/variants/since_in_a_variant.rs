use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(tag = kind, args(kind: u8, version: u8))]
enum Demo {
    #[bin(id = 1)]
    One {
        first: u8,
        #[bin(since = 2)]
        second: Option<u8>,
        #[bin(before = 3)]
        third: Option<u8>,
    },
}

fn main() {}
