use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct File {
    #[bin(at = 1, until = last == 0, view)]
    items: Vec<u16>,
}

fn main() {}
