//! Bytes and texts up to a constant, or to the end of their region.

use std::io::{self, Read};

use binfmt_runtime::{BinFormat, Stream, laws};

use super::{refused, stopped};

/// The last line has no line feed in some files.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Lines {
    #[bin(until_end)]
    lines: Vec<Line>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Line {
    #[bin(until = kept(b'\n') || remaining < 1)]
    text: String,
}

/// The same with what ends the line beside it.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Split {
    #[bin(until_end)]
    lines: Vec<Apart>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Apart {
    #[bin(until = remaining == 0 || peek("\r\n"))]
    text: String,
    #[bin(optional)]
    end: Option<End>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[bin(magic = b"\r\n")]
struct End;

/// Every value in front of every rest, where both end with a region.
#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Kept {
    #[bin(prefix = u8)]
    region: KeptInside,
    behind: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct KeptInside {
    #[bin(until = kept(b"aa") || remaining < 1)]
    value: Vec<u8>,
    #[bin(until_end)]
    rest: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Peeked {
    #[bin(prefix = u8)]
    region: PeekedInside,
    behind: u8,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct PeekedInside {
    #[bin(until = peek(b"aa") || remaining < 1)]
    value: Vec<u8>,
    #[bin(until_end)]
    rest: Vec<u8>,
}

/// All texts of up to so many letters.
fn texts(most: usize) -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..most {
        let to = all.len();
        for index in from..to {
            for letter in [b'a', b'b'] {
                all.push([all[index].as_slice(), &[letter]].concat());
            }
        }
        from = to;
    }
    all
}

#[test]
fn a_value_is_written_where_it_is_read_as_it_was() {
    let (mut written, mut others) = ([0, 0], [0, 0]);
    for value in texts(4) {
        for rest in texts(4) {
            let bytes = [value.as_slice(), &rest].concat();
            let at = bytes.windows(2).position(|two| two == b"aa");
            let kept = at.map_or(bytes.len(), |at| at + 2);
            let peeked = at.unwrap_or(bytes.len());
            let file = [&[u8::try_from(bytes.len()).unwrap()], bytes.as_slice(), &[9]].concat();
            let region = KeptInside { value: value.clone(), rest: rest.clone() };
            let first = Kept { region, behind: 9 };
            let region = PeekedInside { value: value.clone(), rest: rest.clone() };
            let second = Peeked { region, behind: 9 };
            let results = [
                (kept, first.to_vec(), Kept::parse(&file).map(|read| read == first)),
                (peeked, second.to_vec(), Peeked::parse(&file).map(|read| read == second)),
            ];
            for (index, (len, result, is_read)) in results.into_iter().enumerate() {
                let fits = len == value.len();
                assert_eq!(is_read.unwrap(), fits, "{value:?} {rest:?}");
                match result {
                    Ok(result) => {
                        assert!(fits && result == file, "{value:?} {rest:?} {result:02x?}");
                        written[index] += 1;
                    }
                    Err(error) => {
                        assert!(!fits && error.finding().code == "until", "{error}");
                        others[index] += 1;
                    }
                }
            }
        }
    }
    assert!(written.into_iter().chain(others).all(|count| count > 20), "{written:?} {others:?}");
}

#[test]
fn the_last_line_may_have_no_end() {
    for bytes in [&b"ab\ncd\n"[..], b"ab\ncd", b"\n\n", b"", b"a\n\nb", b"a"] {
        assert_eq!(Lines::parse(bytes).unwrap().to_vec().unwrap(), bytes);
        laws::hold::<Lines>(bytes, ()).unwrap();
    }
    for bytes in [&b"ab\r\ncd\r\n"[..], b"ab\r\ncd", b"\r\n\r\n", b"", b"a\r\r\n\r"] {
        assert_eq!(Split::parse(bytes).unwrap().to_vec().unwrap(), bytes);
        laws::hold::<Split>(bytes, ()).unwrap();
    }
    let line = |text: &str| Line { text: text.into() };
    assert_eq!(refused(&Lines { lines: vec![line("a"), line("b")] }), "lines[0].text until");
    assert_eq!(refused(&Lines { lines: vec![line("a\nb")] }), "lines[0].text until");
    let apart = |text: &str, end| Apart { text: text.into(), end };
    let split = Split { lines: vec![apart("a", Some(End)), apart("b\r", None)] };
    assert_eq!(split.to_vec().unwrap(), b"a\r\nb\r");
    let split = Split { lines: vec![apart("a", None), apart("b", Some(End))] };
    assert_eq!(refused(&split), "lines[0].text until");
    assert_eq!(stopped::<Split>(b"\xff\r\n"), "lines[0].text utf8");
}

#[test]
fn a_stream_gives_the_same_lines_wherever_it_is_split() {
    for step in [1, 2, 3, 100] {
        let mut stream = Stream::new(Dribble { bytes: b"abc\nd", step });
        assert_eq!(stream.read::<Line>().unwrap().text, "abc\n");
        assert_eq!(stream.read::<Line>().unwrap().text, "d");
        assert!(stream.is_at_end().unwrap());
    }
}

/// A source that gives so many bytes at a time.
struct Dribble<'b> {
    bytes: &'b [u8],
    step: usize,
}

impl Read for Dribble<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.step.min(out.len());
        self.bytes.read(&mut out[..len])
    }
}
