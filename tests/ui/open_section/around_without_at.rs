use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Record {
    #[bin(nul, place = around)]
    name: String,
}

fn main() {}
