//! Values within values: what nests more deeply than a reader goes is not written.

use super::Writer;
use crate::finding::{Fault, Show};
use crate::{Limits, Wire, stack};

impl Writer<'_> {
    /// How deep what is written next is within other values.
    #[cfg(feature = "alloc")]
    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }

    /// Writes what is one level down: values of type `T` in a sequence, a box or coded bytes.
    #[inline(always)]
    pub(crate) fn level<'a, T: Wire<'a>>(
        &mut self,
        emit: impl FnOnce(&mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let outer = self.descend(stack::of::<T>())?;
        let result = emit(self);
        self.ascend(outer);
        result
    }

    /// Goes one level down, as a reader does; gives what [`ascend`](Self::ascend) asks for.
    #[inline(always)]
    pub(crate) fn descend(&mut self, stack: usize) -> Result<Limits, Fault> {
        let outer = self.limits;
        match self.limits.descend_by(stack) {
            Some(()) => Ok(outer),
            None => Err(self.too_deep()),
        }
    }

    /// Comes back up.
    #[inline(always)]
    pub(crate) fn ascend(&mut self, outer: Limits) {
        self.limits = outer;
    }

    #[cold]
    #[inline(never)]
    fn too_deep(&mut self) -> Fault {
        let (what, most) = self.limits.too_deep();
        self.fail("depth", format_args!("{what}"), Show::Uint(most), Show::Nothing)
    }
}
