use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(count = 2)]
    table: Vec<u16>,
    #[bin(for_each = table, at = it)]
    bodies: Vec<u16>,
    #[bin(checksum(Crc32, over = bodies))]
    crc: u32,
}

fn main() {}
