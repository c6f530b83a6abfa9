use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
enum Item<'a> {
    #[bin(magic = b"A")]
    One(&'a str),
}

fn main() {}
