use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct File<'a> {
    #[bin(at = 1, len = 8, nul = optional, view)]
    name: &'a str,
}

fn main() {}
