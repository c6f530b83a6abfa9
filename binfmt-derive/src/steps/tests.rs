//! The lists of declarations.

use syn::parse_quote;

use super::lower;
use super::print::print;
use crate::errors::Errors;
use crate::model;

/// The list of a declaration that has no mistakes.
fn list(input: &syn::DeriveInput) -> String {
    let mut errors = Errors::default();
    let model = model::read(&mut errors, input, &[], None).expect("the declaration can be read");
    assert!(errors.is_empty(), "the declaration has mistakes");
    print(&model, &lower(&model))
}

fn assert_steps(input: &syn::DeriveInput, expected: &[&str]) {
    let list = list(input);
    let lines: Vec<&str> = list.lines().collect();
    let expected: Vec<&str> = ["enter"].into_iter().chain(expected.iter().copied()).collect();
    assert_eq!(lines, expected);
}

#[test]
fn plain_fields_are_one_step_each() {
    assert_steps(
        &parse_quote! {
            #[bin(little, magic = b"ABCD")]
            struct Demo { a: u8, b: [u8; 3], #[bin(check(c > 2, "small"))] c: u32, d: U24 }
        },
        &[
            "magic b\"ABCD\"",
            "a: plain u8",
            "b: plain 3 bytes",
            "c: plain u32, noted",
            "c: check Demo.c (c Gt 2)",
            "last",
            "d: enter",
            "d: value number",
            "d: leave",
            "d: done",
            "leave",
            "derived",
            "checksums",
        ],
    );
}

#[test]
fn a_field_has_its_steps_in_the_order_of_its_bytes() {
    assert_steps(
        &parse_quote! {
            #[bin(little)]
            struct Demo {
                n: u8,
                #[bin(if = n > 1, pad_before = 2, align_before = 4, magic = b"@", pad_to = 64, prefix = u16,
                      nul, pad_after = 3, fill = 0xff, warn(n > 2, "few"))]
                text: Option<&'a str>,
                #[bin(until_end)]
                rest: Vec<u8>,
            }
        },
        &[
            "n: plain u8, noted",
            "text: if (n Gt 1)",
            "text: pad 2",
            "text: align 4",
            "text: magic b\"@\"",
            "text: enter",
            "text: region 64",
            "text: prefix u16",
            "text: value bytes as prefixed",
            "text: nul",
            "text: leave",
            "text: rest 255",
            "text: pad 3",
            "text: done",
            "text: warn Demo.text (n Gt 2)",
            "last",
            "rest: enter",
            "rest: value bytes",
            "rest: leave",
            "rest: done",
            "leave",
            "derived",
            "checksums",
        ],
    );
}

#[test]
fn located_fields_come_behind_the_sequence() {
    assert_steps(
        &parse_quote! {
            #[bin(little, len = total)]
            struct Demo {
                #[bin(at = start, base = start, align_after = 8)]
                body: Body,
                total: u32,
                start: u32,
                #[bin(section, len = 16)]
                room: Vec<u8>,
                #[bin(at = start, place = room, null = 0)]
                name: Option<Name>,
            }
        },
        &[
            "total: plain u32, noted",
            "limit total",
            "start: plain u32, noted",
            "room: enter",
            "room: value bytes len 16",
            "room: leave",
            "room: done",
            "body: at start from start",
            "body: enter",
            "body: value nested",
            "body: leave",
            "body: align 8",
            "body: done",
            "name: if start is not 0",
            "name: at start in 3",
            "name: enter",
            "name: value nested",
            "name: leave",
            "name: done",
            "slots of [4] in 3",
            "slots of [0] behind",
            "finish",
            "leave",
            "derived",
            "checksums",
        ],
    );
}

#[test]
fn one_value_for_every_item_of_a_table() {
    assert_steps(
        &parse_quote! {
            #[bin(little)]
            struct Demo {
                n: Auto<u8>,
                #[bin(count = n, unique = id)]
                table: Vec<Row>,
                #[bin(for_each = table, at = it.at, len = it.size, if = it.at > 0, pad_after = 1)]
                bodies: Vec<Option<Body>>,
            }
        },
        &[
            "n: plain u8, noted",
            "table: enter",
            "table: value items count n",
            "table: leave",
            "table: done",
            "table: unique",
            "bodies: for each of 1",
            "bodies: if (it.at Gt 0)",
            "bodies: at it.at",
            "bodies: enter",
            "bodies: value nested len it.size",
            "bodies: leave",
            "bodies: pad 1",
            "bodies: done",
            "slots of [2] behind",
            "leave",
            "derived",
            "checksums",
        ],
    );
}

#[test]
fn what_expressions_ask_for_is_kept_where_it_is_known() {
    assert_steps(
        &parse_quote! {
            #[bin(little)]
            struct Demo {
                #[bin(count = 2)]
                a: Vec<Item>,
                #[bin(len = remaining - 4)]
                b: Vec<u8>,
                #[bin(calc = len(b) + start(c) + end(a))]
                c: u32,
            }
        },
        &[
            "a: enter",
            "a: value items count 2",
            "a: measure end",
            "a: leave",
            "a: done",
            "b: measure remaining",
            "b: enter",
            "b: value bytes len (remaining(b) Sub 4)",
            "b: measure len",
            "b: leave",
            "b: done",
            "last",
            "c: enter",
            "c: value number",
            "c: measure start",
            "c: leave",
            "c: done",
            "finish",
            "leave",
            "derived",
            "checksums",
        ],
    );
}

#[test]
fn a_checksum_over_everything_ends_before_the_padding() {
    assert_steps(
        &parse_quote! {
            #[bin(little, align_after = 16)]
            struct Demo { a: u8, #[bin(checksum(Crc32, over = self))] sum: u32 }
        },
        &[
            "a: plain u8, noted",
            "sum: enter",
            "sum: value number",
            "sum: leave",
            "sum: done",
            "covered",
            "align 16",
            "leave",
            "derived",
            "checksums",
        ],
    );
}
