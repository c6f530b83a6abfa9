//! Whether more bytes behind a value could change what is read.

/// Whether more bytes behind a value could change what is read: it runs to the end of its region, or
/// is told apart by what follows. See [`Wire::OPEN`](crate::Wire::OPEN).
#[derive(Clone, Copy, Debug)]
pub enum Open {
    /// They could not.
    Never,
    /// They could.
    Always,
    /// They could if they could for one of these parts. They are functions, since types may contain
    /// one another.
    Parts(&'static [fn() -> Self]),
}

#[cfg(feature = "std")]
impl Open {
    /// Whether more bytes could change what is read, whatever contains what.
    pub(crate) fn holds(self) -> bool {
        let mut seen: alloc::vec::Vec<&'static [fn() -> Self]> = alloc::vec::Vec::new();
        let mut next = alloc::vec![self];
        while let Some(open) = next.pop() {
            match open {
                Self::Never => {}
                Self::Always => return true,
                Self::Parts(parts) if seen.iter().any(|old| core::ptr::eq(*old, parts)) => {}
                Self::Parts(parts) => {
                    seen.push(parts);
                    next.extend(parts.iter().map(|part| part()));
                }
            }
        }
        false
    }
}
