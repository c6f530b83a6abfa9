//! Names are names: what fields, types and arguments are called, and what messages say, changes
//! nothing but names and messages in the expansion.

use proc_macro2::{TokenStream, TokenTree};

/// Declarations with `F0`, `F1` .. for fields, arguments and names of `let`, `T0` for the type and
/// `MSG` for a message.
const DECLARATIONS: &[&str] = &[
    "#[bin(little, magic = b\"ABCD\", len = F0)] struct T0 { F0: Auto<u32>, F1: Auto<u16>, F2: u8,
        #[bin(count = F1, unique, sorted_by = it)] F3: Vec<u16>,
        #[bin(len = F2 + 2, align_after = 4, fill = 1, note(F2 < 200, \"MSG\"))] F4: Vec<u8> }",
    "#[bin(big, args(F0: u8, F1: bool), version = F2)] struct T0<'a> { F2: u8,
        #[bin(since = 2, before = 5)] F3: Option<u16>, #[bin(if = F1 && F0 > 2)] F4: Option<u32>,
        #[bin(optional, magic = b\"OP\")] F5: Option<u8>, F6: u8, #[bin(flag = F6 & 4)] F7: Option<u8>,
        #[bin(prefix = u8, nul, check(len(F8) < 9, \"MSG\"))] F8: &'a str,
        #[bin(nul)] F9: &'a str }",
    "#[bin(little, origin)] struct T0<'a> { F0: u32, F1: Auto<u32>, F2: Auto<u16>, F3: u16,
        #[bin(section, len = F2)] F4: Vec<u8>,
        #[bin(at = F0, len = F3, base = start, align_after = 8)] F5: &'a [u8],
        #[bin(at = F1, prefix = u16, place = F4)] F6: &'a [u8] }",
    "#[bin(little)] struct T0<'a> { #[bin(prefix = u8)] F0: Vec<Row>,
        #[bin(for_each = F0, at = it.at, len = it.size)] F1: Vec<&'a [u8]>, }",
    "#[bin(big)] struct T0 { F0: Auto<u32>, #[bin(calc = len(F3) + count(F4))] F1: u16,
        #[bin(checksum(Crc32, over = F3..=F4))] F2: Auto<u32>, #[bin(len = F0)] F3: Vec<u8>,
        #[bin(until = last == 0)] F4: Vec<u16>, #[bin(set(size = len(F3)))] F5: Head,
        #[bin(calc = tag(F7))] F6: Auto<u8>, #[bin(args(kind = F6))] F7: Body }",
    "#[bin(little, let(F0 = F1 * 2, F2 = F1 > 3), warn(F1 != 9, \"MSG\"))] struct T0 { F1: u8,
        #[bin(len = if F2 { F0 } else { 4 })] F3: Vec<u8>, #[bin(range = 1..=9)] F4: u8,
        #[bin(one_of = [1, 2])] F5: u16, #[bin(pad_to = F1)] F6: [u8; 2],
        #[bin(len = remaining - 2)] F7: Vec<u8>, F8: u16 }",
    "#[bin(little, args(F0: u8), computed(F1: u32 = F2 * F0 + count(F3), \"MSG\"), computed(F4: bool = F1 > 9),
        check(F4, \"MSG\"))] struct T0 { F2: u16, #[bin(prefix = u8)] F3: Vec<u16>, #[bin(if = F4)] F5: Option<u8> }",
    "#[bin(little, bits = u16, lsb)] struct T0 { #[bin(bits = 3)] F0: u8,
        #[bin(bits = 12, error(F1 < F0, \"MSG\"))] F1: u16, #[bin(bits = 1)] F2: bool }",
    "#[bin(tag = F0, args(F0: u8, F1: u16))] enum T0 { #[bin(id = 1)] Nothing,
        #[bin(id = 2, args(F1))] One(Part), #[bin(id = 3 | 5..=9)] Many(u8, Part),
        #[bin(other)] Other(u8, Part) }",
];

/// Names that mean something in the language, in its runtime or in generated code.
const HOSTILE: &[&str] = &[
    "len",
    "count",
    "size",
    "at",
    "value",
    "out",
    "cur",
    "start_",
    "remaining_",
    "it_",
    "args",
    "order",
    "magic",
    "end_",
];

/// A message that looks like words.
const MESSAGE: &str = "len = count, the size of remaining last it offset";

fn expand(declaration: &str, names: &[String], ty: &str, message: &str) -> TokenStream {
    let mut text = declaration.replace("MSG", message).replace("T0", ty);
    for (index, name) in names.iter().enumerate() {
        text = text.replace(&format!("F{index}"), name);
    }
    let input = syn::parse_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let code = crate::expand::expand(&input);
    assert!(!code.to_string().contains("compile_error"), "{text}\n{code}");
    code
}

fn flat(code: TokenStream, all: &mut Vec<String>) {
    for tree in code {
        match tree {
            TokenTree::Group(group) => {
                all.push(format!("{:?}", group.delimiter()));
                flat(group.stream(), all);
                all.push("end".into());
            }
            other => all.push(other.to_string()),
        }
    }
}

#[test]
fn names_and_messages_change_nothing_but_names_and_messages() {
    for declaration in DECLARATIONS {
        let plain: Vec<String> = (0..10).map(|index| format!("zq{index}")).collect();
        for turn in 0..HOSTILE.len() {
            let hostile: Vec<String> =
                (0..10).map(|index| HOSTILE[(index + turn) % HOSTILE.len()].to_owned()).collect();
            let (mut a, mut b) = (Vec::new(), Vec::new());
            flat(expand(declaration, &plain, "Zqt", "zqmessage"), &mut a);
            flat(expand(declaration, &hostile, "Len", MESSAGE), &mut b);
            for token in &mut a {
                for (plain, hostile) in plain.iter().zip(&hostile) {
                    *token = token.replace(plain, hostile);
                }
                *token = token.replace("Zqt", "Len").replace("zqmessage", MESSAGE);
            }
            let differs = a.iter().zip(&b).position(|(a, b)| a != b);
            if let Some(at) = differs.or_else(|| (a.len() != b.len()).then_some(0)) {
                let around = at.saturating_sub(20);
                let part = |all: &[String]| {
                    all[around..].iter().take(40).cloned().collect::<Vec<_>>().join(" ")
                };
                panic!("{declaration}\n{hostile:?}\n{}\n{}", part(&a), part(&b));
            }
        }
    }
}
