use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Head {
    offsets: [u16; 2],
}

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    head: Head,
    #[bin(for_each = head.offsets, at = it)]
    numbers: Vec<u16>,
}

fn main() {}
