use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
enum Item {
    One(#[bin(len = 4)] One),
}

fn main() {}
