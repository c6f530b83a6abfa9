//! Located values with a magic, a prefix or padding around them: a checksum over one covers what its
//! writer covers, and two that share their bytes may be padded differently.

use binfmt_runtime::{BinFormat, Crc32};

macro_rules! covered {
    ($($name:ident($($words:tt)*))*) => { $(
        mod $name {
            use super::*;

            #[derive(BinFormat, Debug, Clone, PartialEq)]
            #[bin(little)]
            struct Sealed {
                at: u32,
                n: u8,
                #[bin(checksum(Crc32, over = data))]
                crc: u32,
                #[bin(at = at, $($words)*)]
                data: Vec<u8>,
            }

            #[test]
            fn a_checksum_covers_what_the_writer_covers() {
                let value = Sealed { at: 0, n: 3, crc: 0, data: vec![1, 2, 3] };
                let file = value.to_vec().unwrap();
                let errors = Sealed::validate(&file);
                let mut findings = errors.findings().iter();
                assert!(findings.all(|finding| finding.code != "checksum"), "{errors:?}");
                let read = Sealed::parse(&file).unwrap();
                assert_eq!(read.data, value.data);
                assert_eq!(read.to_vec().unwrap(), file);
            }

            #[test]
            fn a_checksum_of_other_bytes_is_found() {
                let value = Sealed { at: 0, n: 3, crc: 0, data: vec![1, 2, 3] };
                let mut file = value.to_vec().unwrap();
                let at = file.windows(3).position(|bytes| bytes == [1, 2, 3]).unwrap();
                file[at + 1] ^= 0x10;
                let report = Sealed::validate(&file);
                let mut findings = report.findings().iter();
                assert!(findings.any(|finding| finding.code == "checksum"), "{report:?}");
            }
        }
    )* };
}

covered! {
    alone(len = n)
    aligned_behind(len = n, align_after = 8)
    padded_before(len = n, pad_before = 2)
    padded_behind(len = n, pad_after = 2, fill = 7)
    with_a_magic(len = n, magic = b"AB")
    with_a_prefix(prefix = u16)
    in_a_region(len = n, pad_to = 8)
    with_all_of_them(len = n, magic = b"AB", pad_before = 3, pad_after = 1, align_after = 4)
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Twins {
    at: u32,
    n: u8,
    #[bin(at = at, len = n, align_after = 2, shared)]
    even: Vec<u8>,
    #[bin(at = at, len = n, shared)]
    odd: Vec<u8>,
}

#[test]
fn shared_bytes_may_be_padded_by_one_of_two() {
    for n in 1..4 {
        let data: Vec<u8> = (1..=n).collect();
        let mut file = vec![5, 0, 0, 0, n];
        file.extend(&data);
        if file.len() % 2 == 1 {
            file.push(0);
        }
        let report = Twins::validate(&file);
        assert!(report.findings().is_empty(), "{n} bytes: {report:?}");
        assert_eq!(Twins::parse(&file).unwrap(), Twins { at: 5, n, even: data.clone(), odd: data });
    }
}

#[test]
fn other_bytes_in_the_padding_are_an_overlap() {
    #[derive(BinFormat, Debug)]
    #[bin(little)]
    struct Neighbours {
        a: u32,
        b: u32,
        #[bin(at = a, len = 1, align_after = 4)]
        first: Vec<u8>,
        #[bin(at = b, len = 1)]
        second: Vec<u8>,
    }
    let file = |b: u8| [8, 0, 0, 0, b, 0, 0, 0, 1, 0, 0, 0, 2];
    assert!(Neighbours::validate(&file(12)).findings().is_empty());
    let report = Neighbours::validate(&file(10));
    assert!(report.findings().iter().any(|finding| finding.code == "overlap"), "{report:?}");
}
