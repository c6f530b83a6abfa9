//! Checksums over all that is written, of which a file has one.

use super::{Digest, Sum, verify};
use crate::Order;
use crate::finding::{Class, Fault, Problem, Severity, Show};
use crate::observe::Observer;
use crate::walk::Claim;
use crate::writer::{Hole, Writer};

/// Tells of a stored checksum that is not that of the file.
pub fn verify_file<D: Digest<Sum = S>, S: Sum, O: Observer>(
    obs: &mut O,
    claim: Claim,
    file: &[u8],
    stored: S,
) {
    let own = obs.sum_of_file().filter(|own| *own != claim.span);
    if own.is_some() {
        let depth = obs.depth();
        obs.reopen(claim.layout, claim.field);
        obs.note(Severity::Error, &second(claim.span));
        return obs.close(depth);
    }
    obs.set_sum_of_file(claim.span);
    verify::<D, S, O>(obs, claim, file, (0, file.len()), (&[], &[]), stored);
}

/// Each of two checksums over the file would cover the other.
fn second((start, end): (usize, usize)) -> Problem<'static> {
    let what = format_args!("this is a second checksum over the file; a file has one");
    let (class, expected, found) = (Class::Invalid, Show::Nothing, Show::Nothing);
    Problem { code: "count", class, start, end, what, expected, found }
}

/// Keeps the place of a checksum over all that is written.
pub fn blank_of_file<D: Digest<Sum = S>, S: Sum>(
    out: &mut Writer<'_>,
    name: &'static str,
    order: Order,
) -> Result<Hole, Fault> {
    let hole = out.blank(size_of::<S>())?;
    // What is used of it outside is not known there.
    out.computed_as(&[name], hole.at, false)?;
    let fill: Fill = |bytes, order, put| {
        let mut digest = D::default();
        digest.update(bytes);
        digest.finish().with_bytes(order, &mut |sum| put(sum));
    };
    if out.keep_sum_of_file(SumOfFile { at: hole.at, order, fill }) {
        return Ok(hole);
    }
    let Problem { code, what, expected, found, .. } = second((0, 0));
    Err(out.fail_at(hole.at, code, what, expected, found))
}

/// Computes the checksum of bytes, and hands it over as it is stored.
type Fill = fn(&[u8], Order, &mut dyn FnMut(&[u8]));

/// A checksum over all that is written, in which it counts as zeros.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SumOfFile {
    pub(crate) at: u64,
    order: Order,
    fill: Fill,
}

impl Writer<'_> {
    /// A checksum over the file covers bytes that are not written.
    #[cold]
    pub(crate) fn covers_the_rest(&mut self) -> Fault {
        let what = format_args!(
            "a checksum over the file covers bytes that a writer of a part does not have"
        );
        let at = self.sum_of_file().map_or(0, |sum| sum.at);
        self.fail_at(at, "checksum", what, Show::Nothing, Show::Nothing)
    }

    /// Puts the checksum over all that has been written into its place, where all of it is at hand.
    pub(crate) fn fill_sum_of_file(&mut self) {
        let Some(sum) = self.sum_of_file().filter(|_| self.keeps()) else { return };
        let len = usize::try_from(self.pos()).unwrap_or(usize::MAX);
        let mut stored = ([0; 64], 0);
        let Some(bytes) = self.written(0, len) else { return };
        let place = usize::try_from(sum.at).ok();
        (sum.fill)(bytes, sum.order, &mut |sum| {
            if let Some(space) = stored.0.get_mut(..sum.len()) {
                space.copy_from_slice(sum);
                stored.1 = sum.len();
            }
        });
        let place = place.and_then(|at| bytes.get_mut(at..)?.get_mut(..stored.1));
        if let (Some(place), Some(sum)) = (place, stored.0.get(..stored.1)) {
            place.copy_from_slice(sum);
        }
    }
}
