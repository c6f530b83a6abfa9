//! Numbers that the writer computes may hold anything before, also where paddings are computed from them
//! that the length itself depends on.

use binfmt_runtime::{BinFormat, Cursor, Fault, Writer};

use super::{refused, same};

/// Bytes with a key over them, which nobody measures before the key is known.
mod keyed {
    use super::{Cursor, Fault, Writer};

    #[expect(clippy::unnecessary_wraps, reason = "readers of a field may fail")]
    pub(super) fn read(cur: &mut Cursor<'_>, key: u64) -> Result<Vec<u8>, Fault> {
        let key = key.to_le_bytes()[0];
        let bytes = cur.rest().iter().map(|byte| byte ^ key).collect();
        cur.skip_all();
        Ok(bytes)
    }

    pub(super) fn write(bytes: &[u8], out: &mut Writer<'_>, key: u64) -> Result<(), Fault> {
        let key = key.to_le_bytes()[0];
        bytes.iter().try_for_each(|byte| out.put(&[byte ^ key]))
    }
}

/// A value with these words is written as the bytes, whatever its number says.
macro_rules! whatever_it_says {
    ($($name:ident: ($($words:tt)*) = $bytes:expr;)*) => {
        $(
            #[test]
            fn $name() {
                #[derive(BinFormat, Debug, Clone, PartialEq)]
                #[bin(little)]
                struct Value {
                    number: u64,
                    #[bin($($words)*)]
                    data: Vec<u8>,
                }

                let bytes: &[u8] = $bytes;
                for number in [0, 1, 2, 5, 200, 1 << 62, u64::MAX] {
                    let value = Value { number, data: vec![1, 2, 3] };
                    assert_eq!(value.to_vec().unwrap(), bytes, "{number}");
                    assert_eq!(value.encoded_len().unwrap(), bytes.len() as u64, "{number}");
                    let mut stream = Vec::new();
                    value.write_to(&mut stream).unwrap();
                    assert_eq!(stream, bytes, "{number}");
                }
                same(&Value::parse(bytes).unwrap(), bytes);
            }
        )*
    };
}

whatever_it_says! {
    a_padding_before: (len = number - 2, with = keyed, args(number), pad_before = number - 2)
        = b"\x05\0\0\0\0\0\0\0\0\0\0\x04\x07\x06";
    a_padding_behind: (len = number - 2, with = keyed, args(number), pad_after = number - 4)
        = b"\x05\0\0\0\0\0\0\0\x04\x07\x06\0";
    a_padded_value: (len = number - 2, with = keyed, args(number), pad_to = number)
        = b"\x05\0\0\0\0\0\0\0\x04\x07\x06\0\0";
    an_alignment_before: (len = number - 2, with = keyed, args(number), align_before = number - 3)
        = b"\x05\0\0\0\0\0\0\0\x04\x07\x06";
    an_alignment_behind: (len = number - 2, with = keyed, args(number), align_after = number - 3)
        = b"\x05\0\0\0\0\0\0\0\x04\x07\x06\0";
    plain_bytes: (len = number - 2, pad_before = number - 4)
        = b"\x05\0\0\0\0\0\0\0\0\x01\x02\x03";
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
struct Impossible {
    number: u64,
    #[bin(len = number, with = keyed, args(number), pad_before = number - 9)]
    data: Vec<u8>,
}

#[test]
fn what_cannot_be_computed_of_the_right_number_is_refused() {
    for number in [0, 3, 200] {
        let value = Impossible { number, data: vec![1, 2, 3] };
        assert_eq!(refused(&value), " size", "{number}");
    }
}
