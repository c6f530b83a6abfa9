use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    nothing: (),
}

fn main() {}
