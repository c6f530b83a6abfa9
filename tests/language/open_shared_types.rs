//! Values of two types that share a place in an open section: they have the same bytes, and the same inside.

use binfmt_runtime::BinFormat;

/// `00` where it leads to nothing.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Leading {
    to: u8,
    #[bin(null = 0, at = to, place = around, nul)]
    text: Option<String>,
}

/// `00` where it is empty.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Counted {
    #[bin(prefix = u8)]
    bytes: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct File {
    a: u8,
    b: u8,
    len: u8,
    #[bin(section = open, len = len)]
    body: Vec<u8>,
    #[bin(at = a, place = body, shared)]
    leading: Leading,
    #[bin(at = b, place = body, shared)]
    counted: Counted,
}

/// Every file of two offsets and three bytes in the section is written again as it was, or refused by a
/// validator.
#[test]
fn values_of_two_types_that_lead_to_nothing_share_a_place() {
    let mut shared = 0;
    for code in 0..3_u8.pow(5) {
        let digit = |place: u32| code / 3_u8.pow(place) % 3;
        let body = [0, 3, 4];
        let bytes = [3 + digit(0), 3 + digit(1), 3].into_iter();
        let bytes: Vec<u8> =
            bytes.chain((2..5).map(|place| body[usize::from(digit(place))])).collect();
        let Ok(file) = File::parse(&bytes) else { continue };
        if File::validate(&bytes).is_ok() {
            assert_eq!(file.to_vec().as_ref(), Ok(&bytes), "{file:?}");
            shared += usize::from(file.a == file.b);
        }
    }
    assert!(shared > 5, "only {shared}");
}

/// Its offset counts from the file.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct FromFile {
    to: u8,
    #[bin(at = to, place = around, nul)]
    text: String,
}

/// Its offset counts from its own start.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct FromStart {
    to: u8,
    #[bin(at = to, place = around, base = start, nul)]
    text: String,
}

/// Its offset counts in units of two bytes.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct InUnits {
    to: u8,
    #[bin(at = 2 * to, place = around, nul)]
    text: String,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Three {
    a: u8,
    b: u8,
    c: u8,
    len: u8,
    #[bin(section = open, len = len)]
    body: Vec<u8>,
    #[bin(at = a, place = body, shared)]
    from_file: FromFile,
    #[bin(at = b, place = body, shared)]
    from_start: FromStart,
    #[bin(at = c, place = body, shared)]
    in_units: InUnits,
}

/// New values, and values of any old places.
#[test]
fn what_offsets_of_two_types_count_from_keeps_them_apart() {
    for code in 0..4_u16.pow(6) {
        let place = |number: u32| [0, 4, 5, 9][usize::from(code / 4_u16.pow(number) % 4)];
        let text = || "b".to_owned();
        let value = Three {
            a: place(0),
            b: place(1),
            c: place(2),
            len: 0,
            body: vec![],
            from_file: FromFile { to: place(3), text: text() },
            from_start: FromStart { to: place(4), text: text() },
            in_units: InUnits { to: place(5), text: text() },
        };
        let bytes = value.to_vec().unwrap();
        let read = Three::parse(&bytes).unwrap_or_else(|error| panic!("{value:?}: {error}"));
        let texts = [&read.from_file.text, &read.from_start.text, &read.in_units.text];
        assert_eq!(texts, ["b"; 3], "{value:?}");
        assert_eq!(read.to_vec().as_ref(), Ok(&bytes), "{value:?}");
    }
}
