use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(check(is_name(name), "{name} is no name"))]
    name: [u8; 4],
}

fn main() {}
