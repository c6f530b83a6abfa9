//! What a trial of a variant has found out about the variants inside it, so that a recorder which
//! walks the same bytes behind it need not try them again on every level.

/// The variants that a trial has chosen, in the order of its walk.
#[derive(Debug, Default)]
pub struct Plan {
    #[cfg(feature = "alloc")]
    chosen: alloc::vec::Vec<usize>,
    /// How many of them a recorder has followed.
    followed: usize,
    /// What the variants have cost that were not chosen: nobody tries them again.
    lost: u64,
}

/// How far a plan had got when a variant was tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    #[cfg(feature = "alloc")]
    chosen: usize,
    lost: u64,
}

#[cfg(feature = "alloc")]
impl Plan {
    fn chosen(&self) -> &[usize] {
        &self.chosen
    }

    pub(super) fn push(&mut self, variant: usize) {
        self.chosen.push(variant);
    }

    /// Takes back what a variant has chosen that lost at a price of `cost`.
    pub(super) fn lose(&mut self, mark: Mark, cost: u64) {
        self.chosen.truncate(mark.chosen);
        self.lost = mark.lost.saturating_add(cost);
    }

    /// Begins anew, unless it is being followed.
    pub(super) fn clear(&mut self) {
        self.chosen.clear();
        (self.followed, self.lost) = (0, 0);
    }
}

/// Without memory, nobody makes plans: see [`Recorder::plan`](crate::Recorder).
#[cfg(not(feature = "alloc"))]
impl Plan {
    fn chosen(&self) -> &[usize] {
        &[]
    }

    pub(super) fn push(&mut self, _: usize) {}

    pub(super) fn lose(&mut self, mark: Mark, cost: u64) {
        self.lost = mark.lost.saturating_add(cost);
    }

    pub(super) fn clear(&mut self) {
        (self.followed, self.lost) = (0, 0);
    }
}

impl Plan {
    pub(super) fn mark(&self) -> Mark {
        Mark {
            #[cfg(feature = "alloc")]
            chosen: self.chosen.len(),
            lost: self.lost,
        }
    }

    /// What the variants have cost that nobody tries again.
    pub(super) fn lost(&self) -> u64 {
        self.lost
    }

    /// The variant that is known to win next.
    pub(crate) fn follow(&mut self) -> Option<usize> {
        let variant = self.chosen().get(self.followed).copied()?;
        self.followed = self.followed.saturating_add(1);
        Some(variant)
    }
}
