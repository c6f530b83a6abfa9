//! Field values as an inspector sees them.

/// The value of a field, borrowed from the file or from the declared type.
#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "values live on the stack, one at a time, while recording"
)]
pub enum Value<'v> {
    /// The value is its children, or has none worth showing.
    Group,
    /// An optional field that is not there.
    Absent,
    /// An unsigned number.
    Uint(u64),
    /// A signed number.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// A truth value.
    Bool(bool),
    /// A run of bytes.
    Bytes(&'v [u8]),
    /// A text.
    Str(&'v str),
    /// A UTF-16 text.
    Utf16(crate::Utf16<'v>),
    /// A named number.
    Enum {
        /// The stored number.
        number: u64,
        /// Its name, if the declaration knows it.
        name: Option<&'static str>,
    },
    /// A set of bits.
    Flags {
        /// All stored bits.
        bits: u64,
        /// The names of those that have one.
        names: Names,
    },
    /// A sequence, with its number of items where that is known without walking it.
    Items(Option<u64>),
}

/// Names of the bits that are set, 64 at most.
#[derive(Clone, Debug)]
pub struct Names {
    list: [&'static str; 64],
    len: usize,
}

impl Default for Names {
    fn default() -> Self {
        Self { list: [""; 64], len: 0 }
    }
}

impl Names {
    /// Adds a name.
    pub fn push(&mut self, name: &'static str) {
        if let Some(slot) = self.list.get_mut(self.len) {
            *slot = name;
            self.len = self.len.saturating_add(1);
        }
    }

    /// The names, in the order they were added.
    pub fn as_slice(&self) -> &[&'static str] {
        self.list.get(..self.len).unwrap_or_default()
    }
}
