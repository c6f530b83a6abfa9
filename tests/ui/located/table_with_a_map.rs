use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(map([u8; 4], std::net::Ipv4Addr::from, std::net::Ipv4Addr::octets))]
    address: std::net::Ipv4Addr,
    #[bin(for_each = address, at = it)]
    numbers: Vec<u8>,
}

fn main() {}
