//! Decoded payloads that several members share.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use binfmt_formats::fatbin::{Entry, payload};

/// A decoded payload, or why it cannot be decoded.
pub(super) type Blob<'f> = Result<Arc<Cow<'f, [u8]>>, String>;

/// The payloads that were decoded last.
///
/// Decoding a payload for each of its members would cost members times bytes; keeping all of them
/// would cost all the memory that a file asks for. As members are asked for one after the other,
/// one payload per thread is enough.
#[derive(Debug)]
pub(super) struct Blobs<'f> {
    limit: u64,
    recent: Mutex<VecDeque<(u64, Blob<'f>)>>,
}

impl<'f> Blobs<'f> {
    /// `limit` is the largest payload to decode, in bytes.
    pub(super) fn new(limit: u64) -> Self {
        Self { limit, recent: Mutex::default() }
    }

    /// The payload of the entry at that offset in the file.
    pub(super) fn get(&self, offset: u64, entry: &Entry<'f>) -> Blob<'f> {
        let recent = || self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, blob)) = recent().iter().find(|(key, _)| *key == offset) {
            return blob.clone();
        }
        let blob =
            payload::decode(entry, self.limit).map(Arc::new).map_err(|error| error.to_string());
        let mut recent = recent();
        recent.truncate(rayon::current_num_threads().saturating_sub(1));
        recent.push_front((offset, blob.clone()));
        blob
    }
}

#[cfg(test)]
mod tests {
    use binfmt_formats::fatbin::Kind;

    use super::*;

    #[test]
    fn payload_is_decoded_once() {
        let blobs = Blobs::new(100);
        let entry = Entry::plain(Kind::Concat, 0, b"12345678");
        let first = blobs.get(16, &entry).unwrap();
        assert!(Arc::ptr_eq(&first, &blobs.get(16, &entry).unwrap()));
        for offset in 17..1000 {
            blobs.get(offset, &entry).unwrap();
        }
        assert!(blobs.recent.lock().unwrap().len() <= rayon::current_num_threads());
    }
}
