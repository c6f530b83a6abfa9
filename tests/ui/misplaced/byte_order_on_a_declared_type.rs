use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(big)]
    version: Version,
}

struct Version;

fn main() {}
