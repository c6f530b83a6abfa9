use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(calc = decoded_len(body))]
    unpacked: u8,
    #[bin(until_end)]
    body: Vec<u8>,
}

fn main() {}
