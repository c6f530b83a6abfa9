use binfmt_runtime::{Auto, BinFormat, Seq};

use super::*;

/// A table of places, and what lies there.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, magic = b"PACK")]
struct Pack<'a> {
    table_at: u32,
    table_len: Auto<u32>,
    #[bin(at = table_at, len = table_len)]
    table: Seq<'a, Row>,
    #[bin(for_each = table, at = it.offset, len = it.size)]
    bodies: Vec<&'a [u8]>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Row {
    id: u16,
    offset: u32,
    size: u16,
}

/// Sizes first, then one value behind the other.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, magic = b"ROWS")]
struct Rows<'a> {
    count: Auto<u8>,
    #[bin(count = count)]
    sizes: Vec<u16>,
    #[bin(for_each = sizes, len = it)]
    parts: Vec<&'a [u8]>,
    behind: u32,
}

/// Two texts where offsets say, in a file that knows its length.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, magic = b"TEXT")]
struct Texts<'a> {
    size: Auto<u32>,
    #[bin(len = size - 8)]
    inside: Inside<'a>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
struct Inside<'a> {
    one_at: u16,
    one_len: Auto<u16>,
    #[bin(at = one_at, len = one_len)]
    one: &'a str,
    two_at: u16,
    two_len: Auto<u16>,
    #[bin(at = two_at, len = two_len)]
    two: &'a str,
}

fn with<T>(file: &[u8], path: &str, value: &str) -> Result<Vec<u8>, String>
where
    T: binfmt_runtime::Family + 'static,
    for<'f> T::At<'f>: BinFormat<'f> + binfmt_runtime::DefaultArgs<'f>,
{
    let format = crate::format::<T>("made");
    let pattern: Pattern = path.parse().unwrap();
    let wanted = Wanted::Text(value.to_owned());
    let written = set(file, format.driver(), &Options::default(), &[(&pattern, wanted)])?;
    let report = format.driver().validate(&written, &Options::default()).report;
    assert!(report.is_ok(), "{path}={value}: {report}");
    Ok(written)
}

fn pack() -> Vec<u8> {
    let row = |id| Row { id, offset: 0, size: 0 };
    let table = [row(1), row(2), row(3)];
    let bodies = vec![&b"first"[..], b"second", b"third"];
    Pack { table_at: 0, table_len: Auto::new(), table: Seq::from(&table[..]), bodies }
        .to_vec()
        .unwrap()
}

fn hex(bytes: &[u8]) -> String {
    format!("0x{}", crate::json::hex(bytes))
}

#[test]
fn located_items_get_any_length() {
    let file = pack();
    for (index, old) in [&b"first"[..], b"second", b"third"].into_iter().enumerate() {
        for new in [&b""[..], b"x", b"fifth", b"secon6", b"something much longer than it was"] {
            let written = with::<Pack<'_>>(&file, &format!("bodies[{index}]"), &hex(new)).unwrap();
            let (before, after) = (Pack::parse(&file).unwrap(), Pack::parse(&written).unwrap());
            let mut expected = before.bodies.clone();
            expected[index] = new;
            assert_eq!(after.bodies, expected, "{index} {new:?}");
            let ids =
                |pack: &Pack<'_>| pack.table.iter().map(|row| row.unwrap().id).collect::<Vec<_>>();
            assert_eq!(ids(&after), [1, 2, 3]);
            // A file without holes has none afterwards.
            assert_eq!(written.len() + old.len(), file.len() + new.len(), "{index} {new:?}");
        }
    }
}

#[test]
fn bytes_between_values_are_not_lost() {
    // Somebody has left room in front of the last body.
    let mut file = pack();
    let at = file.len() - 5;
    file.splice(at..at, *b"    ");
    let stored = u32::try_from(at + 4).unwrap().to_le_bytes();
    let place = file.windows(4).position(|four| four == u32::try_from(at).unwrap().to_le_bytes());
    file[place.unwrap()..][..4].copy_from_slice(&stored);
    assert_eq!(Pack::parse(&file).unwrap().bodies[2], b"third");
    let written = with::<Pack<'_>>(&file, "bodies[0]", &hex(b"longer than before")).unwrap();
    let pack = Pack::parse(&written).unwrap();
    assert_eq!(pack.bodies, [&b"longer than before"[..], b"second", b"third"]);
}

#[test]
fn items_beside_a_table_of_sizes_get_any_length() {
    let rows = vec![&b"a"[..], b"", b"ccc"];
    let file = Rows { count: Auto::new(), sizes: vec![0; 3], parts: rows.clone(), behind: 7 };
    let file = file.to_vec().unwrap();
    for index in 0..3 {
        for new in [&b""[..], b"z", b"twelve bytes"] {
            let written = with::<Rows<'_>>(&file, &format!("parts[{index}]"), &hex(new)).unwrap();
            let read = Rows::parse(&written).unwrap();
            let mut expected = rows.clone();
            expected[index] = new;
            assert_eq!((read.parts, read.behind), (expected, 7), "{index} {new:?}");
        }
    }
}

#[test]
fn texts_in_a_file_of_known_length_get_any_length() {
    let inside = Inside {
        one_at: 0,
        one_len: Auto::new(),
        one: "eins",
        two_at: 0,
        two_len: Auto::new(),
        two: "zwei",
    };
    let file = Texts { size: Auto::new(), inside }.to_vec().unwrap();
    for new in ["", "drei", "fünfundfünfzig"] {
        for (path, other) in [("inside.one", "zwei"), ("inside.two", "eins")] {
            let written = with::<Texts<'_>>(&file, path, new).unwrap();
            let read = Texts::parse(&written).unwrap().inside;
            let texts = if path.ends_with("one") { (new, other) } else { (other, new) };
            assert_eq!((read.one, read.two), texts, "{path} {new}");
        }
    }
}
