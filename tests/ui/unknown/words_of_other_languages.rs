use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(instances = 3, params = 2, switch_on = 3)]
struct Demo {
    #[bin(contents = 3, terminator = 0, repeat = 3, process = 4)]
    first: u8,
    #[bin(valid = 3, value = 7, pos = 5)]
    second: u8,
}

fn main() {}
