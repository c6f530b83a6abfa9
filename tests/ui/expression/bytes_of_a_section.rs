use binfmt_runtime::BinFormat;

fn sum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, byte| sum ^ byte)
}

#[derive(BinFormat)]
struct Demo {
    #[bin(calc = sum(room))]
    sum: u8,
    at: u8,
    #[bin(section, len = 8, check(sum(room) == 3, "sum"), warn(sum(room) > 9, "this may look at them"))]
    room: Vec<u8>,
    #[bin(at = at, base = room, place = room)]
    value: u8,
}

fn main() {}
