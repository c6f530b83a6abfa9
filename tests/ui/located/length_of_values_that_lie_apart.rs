use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Entry {
    offset: u32,
}

#[derive(BinFormat)]
#[bin(little, check(len(numbers) > 3, "short"))]
struct Demo {
    #[bin(prefix = u8)]
    entries: Vec<Entry>,
    #[bin(for_each = entries, at = it.offset)]
    numbers: Vec<u16>,
}

fn main() {}
