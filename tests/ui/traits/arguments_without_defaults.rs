use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(args(wide: bool))]
struct Demo {
    #[bin(if = wide)]
    number: Option<u8>,
}

fn main() {
    let _ = Demo::parse(&[]);
}
