use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Demo {
    #[bin(range = align_up(6, 4)..)]
    offset: i32,
}

fn main() {}
