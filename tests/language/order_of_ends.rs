//! Values that end where the next one begins keep their order, one behind the other, however they change.

use binfmt_runtime::BinFormat;

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Folder {
    #[bin(prefix = u8)]
    names: String,
    #[bin(prefix = u8)]
    offsets: Vec<u8>,
    #[bin(for_each = offsets, at = it, until_next)]
    files: Vec<Vec<u8>>,
}

fn read(bytes: &[u8]) -> Folder {
    Folder::parse(bytes).unwrap()
}

fn folder() -> Folder {
    let files = ["first", "second", "third"].map(Into::into).into();
    let folder = Folder { names: "ab".to_owned(), offsets: vec![0; 3], files };
    read(&folder.to_vec().unwrap())
}

/// What is written is read as the same values, of which each begins where the one before it ends.
fn keeps_order(changed: &Folder) {
    let bytes = changed.to_vec().unwrap();
    let again = read(&bytes);
    assert_eq!(again.files, changed.files);
    let mut end = changed.names.len() + changed.offsets.len() + 2;
    for (offset, file) in again.offsets.iter().zip(&again.files) {
        assert_eq!(usize::from(*offset), end, "{again:?}");
        end += file.len();
    }
    assert_eq!(end, bytes.len());
}

#[test]
fn values_keep_their_order_when_the_table_or_what_is_in_front_of_it_grows() {
    for more in 0..20 {
        let mut longer = folder();
        longer.names.push_str(&"c".repeat(more));
        keeps_order(&longer);
        // The offset of a new value is 0, or some place behind all others.
        for offset in [0, 200] {
            let mut grown = longer.clone();
            for _ in 0..more {
                grown.offsets.push(offset);
                grown.files.push(b"new".into());
            }
            keeps_order(&grown);
        }
    }
}

#[test]
fn values_keep_their_order_when_one_grows_or_shrinks() {
    for (index, len) in (0..3).flat_map(|index| (1..20).map(move |len| (index, len))) {
        let mut changed = folder();
        changed.files[index] = vec![b'x'; len];
        keeps_order(&changed);
    }
}
