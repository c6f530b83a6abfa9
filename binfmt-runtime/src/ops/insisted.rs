//! What a program is not compiled without, where only the compiler knows the types.

/// Fails to compile if arguments are not passed by the names, and in the order, of their type.
///
/// # Panics
///
/// The names differ.
pub const fn same_names(of: &str, declared: &[&str], passed: &[&str]) {
    // That there are more or fewer, their types say.
    if declared.len() != passed.len() {
        return;
    }
    let (mut left, mut others, mut same) = (declared, passed, true);
    while let ([first, rest @ ..], [other, behind @ ..]) = (left, others) {
        same &= same_bytes(first.as_bytes(), other.as_bytes());
        (left, others) = (rest, behind);
    }
    let text = Message::new()
        .text("`args(..)` passes the arguments that a type declares, by name and in its order; `")
        .text(of)
        .text("` declares ")
        .names(declared)
        .text(", and is given ")
        .names(passed);
    assert!(same, "{}", text.as_str());
}

/// A message that is put together when a program is compiled; what does not fit is cut.
struct Message {
    bytes: [u8; 512],
    len: usize,
}

impl Message {
    const fn new() -> Self {
        Self { bytes: [0; 512], len: 0 }
    }

    const fn text(mut self, text: &str) -> Self {
        let mut left = text.as_bytes();
        while let [byte, rest @ ..] = left {
            if let Some((place, _)) = self.bytes.split_at_mut(self.len).1.split_first_mut() {
                *place = *byte;
                self.len = self.len.saturating_add(1);
            }
            left = rest;
        }
        self
    }

    /// A list of names.
    const fn names(mut self, names: &[&str]) -> Self {
        if names.is_empty() {
            return self.text("none");
        }
        self = self.text("`");
        let mut left = names;
        while let [name, rest @ ..] = left {
            self = self.text(name);
            if !rest.is_empty() {
                self = self.text(", ");
            }
            left = rest;
        }
        self.text("`")
    }

    const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => {
                "`args(..)` passes the arguments that a type declares, by name and in its order"
            }
        }
    }
}

/// Fails to compile if the writer of a type computes the field that is to be set.
///
/// # Panics
///
/// The type computes the field.
pub const fn may_set(layout: &crate::Layout, name: &str) {
    let mut fields = layout.fields;
    while let [field, rest @ ..] = fields {
        assert!(
            !field.computed || !same_bytes(field.name.as_bytes(), name.as_bytes()),
            "the writer of the type computes this field from others; remove it here, or the word that computes it there"
        );
        fields = rest;
    }
}

/// Fails to compile if nothing tells whether an optional value is there.
///
/// # Panics
///
/// The type has no magic.
pub const fn has_magic(layout: &crate::Layout) {
    let has = !layout.magic.is_empty() || !layout.peeked.1.is_empty();
    assert!(has, "`optional` looks for a magic, and this type has none");
}

pub(crate) const fn same_bytes(mut a: &[u8], mut b: &[u8]) -> bool {
    while let ([first, rest @ ..], [other, others @ ..]) = (a, b) {
        if *first != *other {
            return false;
        }
        (a, b) = (rest, others);
    }
    a.is_empty() && b.is_empty()
}
