//! Where written bytes go.

/// Takes what a writer has collected.
pub(crate) trait Sink {
    /// Takes the next bytes; `None` when they cannot be written.
    fn put(&mut self, bytes: &[u8]) -> Option<()>;

    /// At least so many bytes will follow.
    fn expect(&mut self, _len: usize) {}

    /// What has been taken from an offset on, if it can still be changed.
    fn taken(&mut self, _from: u64) -> Option<&mut [u8]> {
        None
    }

    /// Whether what has been taken can be changed.
    fn holds(&self) -> bool {
        false
    }

    /// Bytes to be written cannot be read; told in any case.
    #[cfg(feature = "std")]
    fn unreadable(&mut self, _error: std::io::Error) {}
}

/// From this size on, in bytes, memory grows by a quarter: twice as much would be too much, and such
/// memory is moved by the kernel.
#[cfg(feature = "alloc")]
const LARGE: usize = 1 << 20;

/// Memory that grows.
#[cfg(feature = "alloc")]
#[derive(Debug, Default)]
pub(crate) struct Memory {
    pub(crate) bytes: alloc::vec::Vec<u8>,
    /// The offset of the first byte.
    pub(crate) start: u64,
    /// Whether a large output stops, so that it is measured before memory is taken for it.
    pub(crate) stops: bool,
    /// Whether it has stopped.
    pub(crate) stopped: bool,
}

#[cfg(feature = "alloc")]
impl Memory {
    fn reserve(&mut self, len: usize) -> Option<()> {
        let (has, free) =
            (self.bytes.len(), self.bytes.capacity().saturating_sub(self.bytes.len()));
        if free >= len {
            return Some(());
        }
        if self.stops && has.saturating_add(len) > LARGE {
            self.stopped = true;
            return None;
        }
        if has < LARGE {
            self.bytes.try_reserve(len).ok()
        } else {
            self.bytes.try_reserve_exact(len.max(has >> 2)).ok()
        }
    }
}

#[cfg(feature = "alloc")]
impl Sink for Memory {
    fn put(&mut self, bytes: &[u8]) -> Option<()> {
        self.reserve(bytes.len())?;
        self.bytes.extend_from_slice(bytes);
        Some(())
    }

    fn expect(&mut self, len: usize) {
        // What cannot be had now is missed when it is written.
        let _ = self.reserve(len);
    }

    fn holds(&self) -> bool {
        true
    }

    fn taken(&mut self, from: u64) -> Option<&mut [u8]> {
        let from = usize::try_from(from.checked_sub(self.start)?).ok()?;
        self.bytes.get_mut(from..)
    }
}

/// Keeps the bytes at a few places, and no others.
#[cfg(feature = "std")]
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// Where the next byte lies.
    at: u64,
    /// The places in order, each with its bytes as far as they have come.
    list: alloc::vec::Vec<(u64, alloc::vec::Vec<u8>, usize)>,
    /// The first place that may still get bytes.
    next: usize,
}

#[cfg(feature = "std")]
impl Places {
    /// Keeps so many bytes at each offset.
    pub(crate) fn new(places: impl Iterator<Item = (u64, usize)>) -> Self {
        let mut list: alloc::vec::Vec<_> =
            places.map(|(at, len)| (at, alloc::vec::Vec::new(), len)).collect();
        list.sort_unstable_by_key(|(at, _, len)| (*at, *len));
        Self { list, ..Self::default() }
    }
}

#[cfg(feature = "std")]
impl Sink for Places {
    fn put(&mut self, bytes: &[u8]) -> Option<()> {
        let from = self.at;
        self.at = from.saturating_add(crate::ops::wide(bytes.len()));
        for (at, kept, len) in self.list.get_mut(self.next..).unwrap_or_default() {
            if *at >= self.at {
                break;
            }
            let next = at.saturating_add(crate::ops::wide(kept.len())).saturating_sub(from);
            let missing = len.saturating_sub(kept.len());
            let rest = usize::try_from(next).ok().and_then(|next| bytes.get(next..));
            let rest = rest.unwrap_or_default();
            kept.extend_from_slice(rest.get(..missing).unwrap_or(rest));
        }
        let done = |(_, kept, len): &(u64, alloc::vec::Vec<u8>, usize)| kept.len() >= *len;
        while self.list.get(self.next).is_some_and(done) {
            self.next = self.next.saturating_add(1);
        }
        Some(())
    }

    fn taken(&mut self, from: u64) -> Option<&mut [u8]> {
        // Of several at one offset the last has most bytes.
        let end = self.list.partition_point(|(at, _, _)| *at <= from);
        let (at, kept, _) = self.list.get_mut(end.checked_sub(1)?)?;
        (*at == from).then_some(kept)
    }
}

/// Writes into any [`std::io::Write`] and keeps its error.
#[cfg(feature = "std")]
pub(crate) struct Io<'o> {
    pub(crate) out: &'o mut dyn std::io::Write,
    pub(crate) error: Option<std::io::Error>,
}

#[cfg(feature = "std")]
impl Sink for Io<'_> {
    fn put(&mut self, bytes: &[u8]) -> Option<()> {
        self.out.write_all(bytes).map_err(|error| self.error = Some(error)).ok()
    }

    fn unreadable(&mut self, error: std::io::Error) {
        self.error = Some(error);
    }
}
