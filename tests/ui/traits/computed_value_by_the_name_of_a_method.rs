use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(computed(half: u8 = number / 2))]
struct Demo {
    number: u8,
}

impl Demo {
    fn half(&self) {}
}

fn main() {}
