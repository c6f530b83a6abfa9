use binfmt_runtime::BinFormat;

#[derive(BinFormat, Clone)]
struct Demo {
    #[bin(section, len = remaining)]
    rest: Vec<u8>,
    #[bin(at = 0, base = rest, place = rest, count = 2)]
    ats: Vec<u8>,
    #[bin(for_each = ats, at = it, len = 1)]
    marks: Vec<Vec<u8>>,
}

fn main() {}
