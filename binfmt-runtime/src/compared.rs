//! Texts and bytes that expressions compare, whatever holds them.

/// What holds bytes that are compared with `b"WAVE"`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be compared with bytes",
    note = "bytes and arrays of them are compared with bytes: `form == b\"WAVE\"`"
)]
pub trait Bytes {
    /// The bytes.
    fn bytes(&self) -> &[u8];
}

#[diagnostic::do_not_recommend]
impl<T: AsRef<[u8]> + ?Sized> Bytes for T {
    #[inline(always)]
    fn bytes(&self) -> &[u8] {
        self.as_ref()
    }
}

/// What holds a text that is compared with `"end"`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be compared with a text",
    note = "texts in UTF-8 are compared with texts: `name == \"end\"`; for all else call a function of your own"
)]
pub trait Text {
    /// The text.
    fn text(&self) -> &str;
}

#[diagnostic::do_not_recommend]
impl<T: AsRef<str> + ?Sized> Text for T {
    #[inline(always)]
    fn text(&self) -> &str {
        self.as_ref()
    }
}

/// The bytes of a value.
#[inline(always)]
pub fn bytes<T: Bytes + ?Sized>(value: &T) -> &[u8] {
    value.bytes()
}

/// The text of a value.
#[inline(always)]
pub fn text<T: Text + ?Sized>(value: &T) -> &str {
    value.text()
}
