use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
struct Demo {
    #[bin(set(flags.has = note.is_some()))]
    head: Head,
    #[bin(if = head.flags.has)]
    note: Option<u8>,
}

fn main() {}
