//! Words of other declaration languages, each with the one that does it here.

use proc_macro2::TokenTree;
use syn::Attribute;

use super::Place;
use crate::errors::Errors;

/// The attributes of other crates, which are registered to be answered.
const ATTRIBUTES: [&str; 4] = ["br", "bw", "brw", "deku"];

/// Refuses the attributes of other crates, and says what to write instead of their words.
pub(super) fn attributes(errors: &mut Errors, place: Place, attrs: &[Attribute]) {
    for attr in attrs {
        let Some(name) = ATTRIBUTES.into_iter().find(|name| attr.path().is_ident(name)) else {
            continue;
        };
        errors.add_at(
            attr.path(),
            format!("`#[{name}(..)]` belongs to another crate; words stand in `#[bin(..)]` here"),
        );
        let Ok(list) = attr.meta.require_list() else { continue };
        let mut begins = true;
        for tree in list.tokens.clone() {
            if let (true, TokenTree::Ident(word)) = (begins, &tree)
                && let Some(answer) = answer(place, &word.to_string())
            {
                errors.add(word.span(), answer);
            }
            begins = matches!(&tree, TokenTree::Punct(punct) if punct.as_char() == ',');
        }
    }
}

/// What to write instead of a word that is none of ours, where it stands.
pub(super) fn answer(place: Place, word: &str) -> Option<String> {
    let instead = instead(place, word)?;
    Some(format!("`{word}` is no word of this language; {instead}"))
}

fn instead(place: Place, word: &str) -> Option<&'static str> {
    let on_field = place == Place::Field;
    Some(match word {
        "le" | "is_little" | "little_endian" => {
            "write `little`, or `endian = ..` where the file tells the order"
        }
        "be" | "is_big" | "big_endian" => {
            "write `big`, or `endian = ..` where the file tells the order"
        }
        "size" | "bytes" | "length" | "bytes_read" => "write `len = n`",
        "bits_read" => "write `len = n`, in bytes",
        "endian" if on_field => {
            "write `little` or `big`; an order that the file tells goes on a type"
        }
        "cond" if on_field => "write `if = condition`, on an `Option`",
        "offset" | "ptr" | "seek_before" | "seek_from_start" if on_field => "write `at = offset`",
        "restore_position" if on_field => {
            "a field with `at = offset` moves nothing behind it; to look ahead, use `peek` or `probe` on an enum"
        }
        _ => return more(place, word),
    })
}

fn more(place: Place, word: &str) -> Option<&'static str> {
    let on_field = place == Place::Field;
    Some(match word {
        "assert" => "write `check(condition, \"text\")`",
        "pre_assert" => "write `tag = e` on the enum and `id = ..` on each variant",
        "pad_size_to" if on_field => "write `pad_to = n`, for texts `len = n, trim = 0`",
        "import" | "import_raw" | "ctx" if place == Place::Type => {
            "write `args(name: Type)` on the type and `args(name = e)` where it is used"
        }
        "import" | "import_raw" | "args_raw" | "ctx" => "write `args(name = e)`",
        "ctx_default" => "give every argument a default: `args(name: Type = default)`",
        "temp" => "make the field an `Auto<u32>`, which is in the file alone",
        "ignore" if on_field => {
            "write `skip`, and `default = e` if it holds anything else than its `Default`"
        }
        "ignore" => "write `skip` on each field that is in the struct alone",
        "parse_with" | "write_with" | "reader" | "writer" | "custom" => {
            "write `with = module`, with the functions `read` and `write`; `until_end` reads all that is left"
        }
        "try_map" | "map_stream" => {
            "write `map(Stored, from, into)`; the functions may give an `Option` or a `Result`"
        }
        "try" if on_field => "write `optional`, on an `Option` with a `magic`",
        "try" => "write `probe` on an enum",
        "repr" | "id_type" | "type" if on_field => {
            "declare an enum with `#[repr(u8)]` and make it the type of the field"
        }
        "repr" | "id_type" | "type" if place == Place::Type => {
            "write `#[repr(u8)]` above the enum, and give each variant its number"
        }
        "id_endian" => "give the field that holds the tag the byte order",
        "id_pat" if place == Place::Variant => {
            "write `id = 5..=9`, or `other` for every tag without a variant"
        }
        "default" | "catch_all" if place == Place::Variant => "write `other`",
        "until_eof" | "read_all" => "write `until_end`",
        "until_exclusive" => "write `until = last == 0`, which keeps the last item",
        "update" => "write `calc = e`",
        "err_context" | "dbg" | "return_all_errors" | "return_unexpected_error" => {
            "remove it; errors carry a path, and a validator reports all of them"
        }
        "stream" | "assert_eq" => "write `check(condition, \"text\")` or `one_of = [..]`",
        "pad_bytes_before" | "pad_bits_before" => "write `pad_before = n`, in bytes",
        "pad_bytes_after" | "pad_bits_after" => "write `pad_after = n`, in bytes",
        "bit_order" => "write `lsb` or `msb` on a struct of bit fields",
        _ => return None,
    })
}
