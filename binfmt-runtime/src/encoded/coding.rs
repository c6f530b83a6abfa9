//! Coded bytes and what they decode to: made of each other, paid for, and compared.

use alloc::vec::Vec;

use super::{Codec, CodecError, Output};
use crate::finding::{Class, Fault, Problem, Show};
use crate::observe::Observer;
use crate::ops::wide;
use crate::writer::Writer;

/// The decoded bytes, which are paid for before they are made, and how many coded ones they took; how
/// far the codec has got where there are none.
pub(super) fn decode<C: Codec, O: Observer>(
    codec: &C,
    stored: &[u8],
    (start, ends): (usize, bool),
    obs: &mut O,
) -> Result<(Vec<u8>, usize), usize> {
    let paid = obs.limits().decodable();
    let (mut bytes, most) = (Vec::new(), paid.min(C::LIMIT));
    let mut out = Output::into(&mut bytes, most);
    let decoded = codec.decode(stored, &mut out);
    let full = out.is_full();
    // What is too much, or damaged, has been made, too.
    obs.limits().spend_decoded(if full { most } else { wide(bytes.len()) });
    let used = decoded.as_ref().ok().copied().filter(|used| *used <= stored.len());
    match used {
        Some(used) if !full => Ok((bytes, used)),
        _ => {
            let at =
                decoded.as_ref().err().map_or(stored.len(), |error| error.at.min(stored.len()));
            // Where bytes end that their codec cannot end, nobody knows.
            let len = if ends { at.saturating_add(1).min(stored.len()) } else { stored.len() };
            let full = full.then_some(most);
            undecodable::<C, O>(obs, (start, start.saturating_add(len)), decoded.err(), full);
            Err(at)
        }
    }
}

/// Why bytes cannot be decoded: they are damaged, or there would be more than `most`.
#[cold]
#[inline(never)]
fn undecodable<C: Codec, O: Observer>(
    obs: &mut O,
    (start, end): (usize, usize),
    error: Option<CodecError>,
    most: Option<u64>,
) {
    let problem = |code, at, what, expected, found| Problem {
        code,
        class: Class::Malformed,
        start: at,
        end,
        what,
        expected,
        found,
    };
    let name = C::NAME;
    match (most, error) {
        (Some(most), _) if most < C::LIMIT => {
            let what = format_args!(
                "the bytes decode to more than the budget of the walk pays for, by {name}"
            );
            obs.fail(&problem("budget", start, what, Show::Uint(most), Show::Nothing));
            obs.limits().set_spent();
        }
        (Some(most), _) => {
            let what = format_args!("the bytes decode to more than the limit of {name}");
            obs.fail(&problem("limit", start, what, Show::Uint(most), Show::Nothing));
        }
        (None, error) => {
            let error = error.unwrap_or_else(|| {
                CodecError::at(usize::MAX, "it claims more bytes than there are")
            });
            let what = format_args!("the bytes cannot be decoded by {name}: {}", error.what);
            let at = start.saturating_add(error.at).min(end);
            obs.fail(&problem("codec", at, what, error.expected, error.found));
        }
    }
}

/// Bytes behind the coded ones.
pub(super) fn behind(start: usize, end: usize) -> Problem<'static> {
    Problem {
        code: "trailing",
        class: Class::Invalid,
        start,
        end,
        what: format_args!("bytes follow the coded ones that belong to nothing"),
        expected: Show::Uint(0),
        found: Show::Uint(wide(end.saturating_sub(start))),
    }
}

/// How many of the coded bytes decode to exactly these ones; `None` if they decode to others.
pub(super) fn decodes_to<C: Codec>(codec: &C, stored: &[u8], decoded: &[u8]) -> Option<usize> {
    let mut out = Output::same(decoded);
    let used = codec.decode(stored, &mut out).ok()?;
    (out.is_same() && used <= stored.len()).then_some(used)
}

/// Whether these are coded bytes of `decoded` with what lies `behind` them.
pub(super) fn is_coded<C: Codec>(codec: &C, stored: &[u8], behind: &[u8], decoded: &[u8]) -> bool {
    let used = stored.len().checked_sub(behind.len());
    used.is_some() && decodes_to(codec, stored, decoded) == used
}

/// Coded bytes of a value, with those that lay behind the old ones; `None` while numbers are found out, for a codec with
/// a key may refuse one that follows from those that the value holds in their places.
pub(super) fn encode<C: Codec>(
    codec: &C,
    behind: &[u8],
    decoded: &[u8],
    out: &mut Writer<'_>,
) -> Result<Option<Vec<u8>>, Fault> {
    let name = C::NAME;
    if wide(decoded.len()) > C::LIMIT {
        let what = format_args!("the value has more decoded bytes than the limit of {name}");
        let (most, found) = (Show::Uint(C::LIMIT), Show::Uint(wide(decoded.len())));
        return Err(out.fail("limit", what, most, found));
    }
    let mut stored = Vec::new();
    if let Err(error) = codec.encode(decoded, &mut stored) {
        if size_of::<C>() > 0 && out.takes_any() {
            return Ok(None);
        }
        let what = format_args!("the value cannot be encoded by {name}: {}", error.what);
        return Err(out.fail("codec", what, error.expected, error.found));
    }
    stored.extend_from_slice(behind);
    if is_coded(codec, &stored, behind, decoded) {
        return Ok(Some(stored));
    }
    let what = format_args!("what {name} makes of the value does not decode to the same bytes");
    Err(out.fail("codec", what, Show::Nothing, Show::Nothing))
}
