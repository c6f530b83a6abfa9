use binfmt_runtime::BinFormat;

#[derive(BinFormat)]
#[bin(little)]
struct Item {
    weight: f32,
}

#[derive(BinFormat)]
struct Demo {
    #[bin(until_end, sorted_by = weight)]
    items: Vec<Item>,
}

fn main() {}
