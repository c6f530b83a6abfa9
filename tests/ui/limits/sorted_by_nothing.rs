use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(count = 3, sorted_by)]
    a: Vec<u16>,
}

fn main() {}
