//! Types with more located fields than rustc follows types in types.

use binfmt_runtime::{Auto, BinFormat};

use super::same;

macro_rules! many {
    ($($offset:ident $value:ident,)*) => {
        #[derive(BinFormat, Debug, Clone, PartialEq)]
        #[bin(little)]
        struct Many {
            $($offset: Auto<u16>, #[bin(at = $offset)] $value: u8,)*
        }

        fn many(value: u8) -> Many {
            Many { $($offset: Auto::new(), $value: value,)* }
        }

        const COUNT: usize = [$(stringify!($value)),*].len();
    };
}

many! {
    a0 b0, a1 b1, a2 b2, a3 b3, a4 b4, a5 b5, a6 b6, a7 b7,
    a8 b8, a9 b9, a10 b10, a11 b11, a12 b12, a13 b13, a14 b14, a15 b15,
    a16 b16, a17 b17, a18 b18, a19 b19, a20 b20, a21 b21, a22 b22, a23 b23,
    a24 b24, a25 b25, a26 b26, a27 b27, a28 b28, a29 b29, a30 b30, a31 b31,
    a32 b32, a33 b33, a34 b34, a35 b35, a36 b36, a37 b37, a38 b38, a39 b39,
    a40 b40, a41 b41, a42 b42, a43 b43, a44 b44, a45 b45, a46 b46, a47 b47,
    a48 b48, a49 b49, a50 b50, a51 b51, a52 b52, a53 b53, a54 b54, a55 b55,
    a56 b56, a57 b57, a58 b58, a59 b59, a60 b60, a61 b61, a62 b62, a63 b63,
    a64 b64, a65 b65, a66 b66, a67 b67, a68 b68, a69 b69, a70 b70, a71 b71,
    a72 b72, a73 b73, a74 b74, a75 b75, a76 b76, a77 b77, a78 b78, a79 b79,
    a80 b80, a81 b81, a82 b82, a83 b83, a84 b84, a85 b85, a86 b86, a87 b87,
    a88 b88, a89 b89, a90 b90, a91 b91, a92 b92, a93 b93, a94 b94, a95 b95,
    a96 b96, a97 b97, a98 b98, a99 b99, a100 b100, a101 b101, a102 b102, a103 b103,
    a104 b104, a105 b105, a106 b106, a107 b107, a108 b108, a109 b109, a110 b110, a111 b111,
    a112 b112, a113 b113, a114 b114, a115 b115, a116 b116, a117 b117, a118 b118, a119 b119,
    a120 b120, a121 b121, a122 b122, a123 b123, a124 b124, a125 b125, a126 b126, a127 b127,
    a128 b128, a129 b129, a130 b130, a131 b131, a132 b132, a133 b133, a134 b134, a135 b135,
}

#[test]
fn many_values_at_offsets_are_written_and_read() {
    let offsets =
        (0..COUNT).flat_map(|index| u16::try_from(2 * COUNT + index).unwrap().to_le_bytes());
    let bytes: Vec<u8> = offsets.chain(vec![7; COUNT]).collect();
    same(&many(7), bytes.leak());
}
