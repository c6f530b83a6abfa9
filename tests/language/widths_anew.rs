//! Widths that were found out while numbers were old ones are found out anew, and with them where all lies.

use binfmt_runtime::{BinFormat, Leb128};

/// A record with a length of variable length around everything that follows from where it lies.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Record {
    #[bin(prefix = Leb128<u16>)]
    all: All,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct All {
    #[bin(prefix = u8)]
    filler: Vec<u8>,
    #[bin(prefix = u8, args(from = previous.head.end or 120))]
    words: Vec<Word>,
    #[bin(prefix = u8)]
    names: Vec<Names>,
    heap_len: u16,
    #[bin(section = open, len = heap_len)]
    heap: Vec<u8>,
    mark_at: u8,
    rows_at: u8,
    #[bin(prefix = u8)]
    rows: Vec<Row>,
    #[bin(at = mark_at, len = rows_at - mark_at)]
    mark: Vec<u8>,
    #[bin(for_each = rows, at = rows_at + it.at, len = it.size)]
    values: Vec<Vec<u8>>,
}

/// Ends where its number says, and begins where the word before has ended.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(args(from: u16))]
struct Word {
    #[bin(set(end = from + len(text)))]
    head: Head,
    #[bin(len = head.end - from)]
    text: String,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Head {
    end: u16,
}

/// One text at a distance, the other one at an offset.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Names {
    near: i8,
    #[bin(at = start(near) + near, place = around, nul, align_before = 2, base = file)]
    name: String,
    far: u8,
    #[bin(at = far, place = around, nul, align_before = 2)]
    title: String,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Row {
    at: u8,
    size: u8,
}

fn records() -> impl Iterator<Item = Record> {
    let word = |text: &str| Word { head: Head { end: 1 }, text: text.to_owned() };
    let names = |name: &str, title: &str| Names {
        near: 0,
        name: name.to_owned(),
        far: 0,
        title: title.to_owned(),
    };
    let row = |at| Row { at, size: 0 };
    let all_names = [names("a", "bc"), names("lmn", ""), names("xy", "z")];
    let tables = [
        (vec![row(0), row(0), row(3)], vec![vec![124, 0], vec![], vec![0]]),
        (vec![row(0), row(5)], vec![vec![9, 9], vec![1]]),
        (vec![row(3), row(0)], vec![vec![], vec![1]]),
    ];
    let lengths = (60..110).flat_map(|filler| (1..4).map(move |count| (filler, count)));
    lengths.flat_map(move |(filler, count)| {
        let names = all_names[..count].to_vec();
        let words = [word("abcd"), word("ab")][..count.min(2)].to_vec();
        tables.clone().map(|(rows, values)| {
            let (filler, heap) = (vec![7; filler], vec![0; rows.len()]);
            let (words, names, mark) = (words.clone(), names.clone(), vec![1, 2]);
            let (heap_len, mark_at, rows_at) = (0, 0, 0);
            let all =
                All { filler, words, names, heap_len, heap, mark_at, rows_at, rows, mark, values };
            Record { all }
        })
    })
}

#[test]
fn what_lies_behind_a_width_is_written_as_it_was_read() {
    for record in records() {
        let bytes = record.to_vec().unwrap();
        let read = Record::parse(&bytes).unwrap();
        assert_eq!(read.to_vec().as_ref(), Ok(&bytes), "{record:?}");
    }
}
