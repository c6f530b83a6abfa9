use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Page {
    form: u8,
    at: u8,
    #[bin(section, len = 4)]
    data: Vec<u8>,
    #[bin(at = at, place = data, if = form == 1)]
    inside: Option<u8>,
    #[bin(at = at, if = form != 1)]
    behind: Option<u8>,
}

fn main() {}
