//! Short texts: a `String` where there is an allocator, a fixed buffer where there is none.

use core::fmt;

#[cfg(feature = "alloc")]
pub(crate) use alloc::boxed::Box as Boxed;

/// Without an allocator an error is carried in place.
#[cfg(not(feature = "alloc"))]
pub(crate) use inline::InPlace as Boxed;

/// A message or a path.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text(alloc::string::String);

#[cfg(feature = "alloc")]
impl Text {
    /// The text itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Appends formatted text.
    pub fn push(&mut self, text: fmt::Arguments<'_>) {
        // Writing into a `String` fails only when a `Display` of the caller does.
        let _ = fmt::Write::write_fmt(&mut self.0, text);
    }
}

#[cfg(not(feature = "alloc"))]
pub use inline::Text;

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(not(feature = "alloc"))]
mod inline {
    use core::fmt;

    /// A message or a path, cut after 112 bytes.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Text {
        bytes: [u8; 112],
        len: usize,
    }

    impl Default for Text {
        fn default() -> Self {
            Self { bytes: [0; 112], len: 0 }
        }
    }

    impl Text {
        /// The text itself.
        pub fn as_str(&self) -> &str {
            self.bytes
                .get(..self.len)
                .and_then(|b| core::str::from_utf8(b).ok())
                .unwrap_or_default()
        }

        /// Appends formatted text; what does not fit is left out.
        pub fn push(&mut self, text: fmt::Arguments<'_>) {
            // A full buffer ends the writing; the text is then cut, which is what is promised.
            let _ = fmt::Write::write_fmt(self, text);
        }
    }

    impl fmt::Write for Text {
        fn write_char(&mut self, c: char) -> fmt::Result {
            let mut utf8 = [0; 4];
            let encoded = c.encode_utf8(&mut utf8).as_bytes();
            let end = self.len.saturating_add(encoded.len());
            let slot = self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?;
            slot.copy_from_slice(encoded);
            self.len = end;
            Ok(())
        }

        fn write_str(&mut self, text: &str) -> fmt::Result {
            text.chars().try_for_each(|c| self.write_char(c))
        }
    }

    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) struct InPlace<T>(T);

    impl<T> From<T> for InPlace<T> {
        fn from(value: T) -> Self {
            Self(value)
        }
    }

    impl<T> core::ops::Deref for InPlace<T> {
        type Target = T;

        fn deref(&self) -> &T {
            &self.0
        }
    }
}
