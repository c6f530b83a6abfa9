use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(count = 3, sorted_by = 1 + 2)]
    a: Vec<u16>,
}

fn main() {}
