use binfmt_runtime::BinFormat;

#[derive(BinFormat, Clone)]
#[bin(little)]
struct Entry {
    at: u32,
    len: u32,
    sum: u32,
}

#[derive(BinFormat)]
struct Pack<'a> {
    #[bin(prefix = u8)]
    entries: Vec<Entry>,
    #[bin(for_each = entries, at = it.at, len = it.len, checksum(Crc32, it.sum, over = bodies))]
    bodies: Vec<&'a [u8]>,
}

fn main() {}
