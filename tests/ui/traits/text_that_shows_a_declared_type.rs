use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Inner(u8);

#[derive(BinFormat)]
struct Demo {
    inner: Inner,
    #[bin(note(number > 1, "not beside {inner}"))]
    number: u8,
}

fn main() {}
