use binfmt_runtime::BinFormat;

#[derive(BinFormat, Clone)]
#[bin(little)]
struct Entry(u32, u8);

#[derive(BinFormat)]
struct Demo {
    entries: [Entry; 2],
    #[bin(for_each = entries, checksum(binfmt_runtime::Crc32, it.0), set(it.0 = 1))]
    bodies: Vec<[u8; 2]>,
}

fn main() {}
