//! Values of an open section that share their place, which counts from the value that leads to them: the
//! coverages and anchors of fonts.

use binfmt_runtime::{BinFormat, laws};

use super::laws::hold;

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Font {
    name_at: u8,
    #[bin(prefix = u8)]
    at: Vec<u8>,
    #[bin(section = open, len = remaining)]
    data: Vec<u8>,
    #[bin(at = name_at, place = data)]
    name: Text,
    #[bin(for_each = at, at = it, place = data)]
    subs: Vec<Subtable>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Subtable {
    at: u8,
    second_at: u8,
    #[bin(at = at, base = start, place = around, shared)]
    coverage: Text,
    #[bin(at = second_at, base = start, place = around, shared, null = 0)]
    second: Option<Text>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Text {
    #[bin(prefix = u8)]
    b: Vec<u8>,
}

fn text(b: &[u8]) -> Text {
    Text { b: b.into() }
}

fn font(subs: &[(&[u8], Option<&[u8]>)]) -> Font {
    let subs: Vec<_> = subs
        .iter()
        .map(|(coverage, second)| {
            let (coverage, second) = (text(coverage), second.map(text));
            Subtable { at: 0, second_at: 0, coverage, second }
        })
        .collect();
    Font { name_at: 0, at: vec![0; subs.len()], data: Vec::new(), name: text(b"n"), subs }
}

fn written(value: &Font) -> (Font, usize) {
    let bytes = laws::written_is_read(value, ()).unwrap().unwrap();
    hold::<Font>(bytes, ());
    assert_eq!(value.to_vec().unwrap(), bytes);
    (Font::parse(bytes).unwrap(), bytes.len())
}

/// The least bytes of a font: of its name, of tables and of texts.
fn len(subs: usize, texts: &[usize]) -> usize {
    2 + subs + 2 + subs * 2 + texts.iter().map(|len| len + 1).sum::<usize>()
}

#[test]
fn new_values_that_count_from_their_holders_are_placed() {
    let (_, size) = written(&font(&[(&[8], None)]));
    assert_eq!(size, len(1, &[1]));
    let (_, size) = written(&font(&[(&[8], Some(&[8])), (&[7], Some(&[6, 5])), (&[7], None)]));
    assert!(size <= len(3, &[1, 1, 1, 2, 1]));
}

#[test]
fn a_holder_that_moves_takes_them_with_it() {
    let (mut read, size) = written(&font(&[(&[8], Some(&[4, 5])), (&[9], None)]));
    read.name.b.push(7);
    let (mut read, longer) = written(&read);
    assert!(longer <= size + 8, "{size} {longer}");
    read.subs[0].coverage.b.extend([1; 9]);
    let (read, _) = written(&read);
    let compact = read.compact().to_vec().unwrap();
    assert_eq!(compact.len(), len(2, &[10, 2, 1]) + 1);
}

#[test]
fn two_holders_of_one_text_stay_so() {
    // The name, two tables, and the text of both.
    let bytes = b"\x04\x02\x06\x08\x01n\x04\0\x02\0\x02ab";
    let mut read = Font::parse(bytes).unwrap();
    assert_eq!(read.subs[0].coverage, read.subs[1].coverage);
    assert_eq!(read.to_vec().as_deref(), Ok(&bytes[..]));
    // One table moves behind the text: it needs a copy. Both do: they share one again.
    read.name.b.push(b'm');
    let (read, size) = written(&read);
    assert!(size <= bytes.len() + 1 + 3 + 2, "{size}");
    assert_eq!(read.compact().to_vec().unwrap().len(), bytes.len() + 1);
}
