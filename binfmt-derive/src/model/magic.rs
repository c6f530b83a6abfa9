//! Constants that values begin with: their bytes, as far as they are known.

use syn::LitInt;

use super::{Body, Kind, Model, Numeric, Scalar, Variant, scalar};
use crate::attr::{Alternative, Endian, Magic, Order};

/// The bytes of a magic, in the order of the type.
pub(crate) fn magic_bytes(model: &Model<'_>, magic: &Magic) -> Option<Vec<u8>> {
    bytes_in(magic, model.words.order.as_ref().map(|order| order.value))
}

pub(crate) fn bytes_in(magic: &Magic, order: Option<Order>) -> Option<Vec<u8>> {
    let int = match magic {
        Magic::Bytes(bytes) => return Some(bytes.value()),
        Magic::Int(int) => int,
    };
    let (value, size) = (number_in(int)?, usize::from(Scalar::named(int.suffix())?.size));
    let mut bytes: Vec<u8> = value.to_le_bytes().into_iter().take(size).collect();
    if order == Some(Order::Big) {
        bytes.reverse();
    }
    Some(bytes)
}

/// The bits of a number that is a magic, if they fit into the type that its suffix names.
pub(crate) fn number_in(int: &LitInt) -> Option<u64> {
    let (number, scalar) = (int.base10_parse::<i128>().ok()?, Scalar::named(int.suffix())?);
    let values = 1_i128.checked_shl(u32::from(scalar.size) * 8)?;
    let least = if scalar.numeric == Numeric::Signed { -(values / 2) } else { 0 };
    let fits = (least..values).contains(&number);
    u64::try_from(number.rem_euclid(values)).ok().filter(|_| fits)
}

/// How many bytes a magic has.
pub(crate) fn magic_len(magic: &Magic) -> usize {
    bytes_in(magic, None).map_or(0, |bytes| bytes.len())
}

/// The magics that a type has a choice of, and what each says about the byte order.
pub(crate) fn alternatives(model: &Model<'_>) -> Vec<(Vec<u8>, Option<Order>)> {
    let given = matches!(model.words.endian.as_ref().map(|word| &word.value), Some(Endian::Magic));
    let own = model.words.order.as_ref().map(|order| order.value);
    let list = model.words.magics.iter().flat_map(|word| &word.value);
    let mut all = Vec::new();
    for one in list {
        let order = one.order.map(|(order, _)| order);
        match (&one.magic, order) {
            // A number that tells the order may be stored in either.
            (Magic::Int(_), None) if given => {
                for order in [Order::Little, Order::Big] {
                    all.extend(bytes_in(&one.magic, Some(order)).map(|bytes| (bytes, Some(order))));
                }
            }
            (magic, order) => {
                all.extend(bytes_in(magic, order.or(own)).map(|bytes| (bytes, order)));
            }
        }
    }
    all
}

/// The magics of a variant, in the order of the enum.
pub(crate) fn variant_magics(model: &Model<'_>, variant: &Variant<'_>) -> Vec<Vec<u8>> {
    variant_magics_in(variant, model.words.order.as_ref().map(|order| order.value))
}

/// The same in another order.
pub(crate) fn variant_magics_in(variant: &Variant<'_>, order: Option<Order>) -> Vec<Vec<u8>> {
    let words = &variant.words;
    let one = words.magic.iter().map(|word| &word.value);
    let several = words.magics.iter().flat_map(|word| &word.value).map(|one| &one.magic);
    one.chain(several).filter_map(|magic| bytes_in(magic, order)).collect()
}

/// The type in which a variant keeps one of its magics.
pub(crate) fn kept_magic(variant: &Variant<'_>) -> String {
    let all = variant.words.magics.iter().flat_map(|word| &word.value);
    let is_byte = |one: &Alternative| matches!(&one.magic, Magic::Int(int) if int.suffix() == "u8");
    if all.clone().all(is_byte) {
        return "u8".to_owned();
    }
    format!("[u8; {}]", all.map(|one| magic_len(&one.magic)).max().unwrap_or(0))
}

/// What is known of the bytes that a value begins with in a file of that byte order, for the layout.
pub(crate) fn known_magics(model: &Model<'_>, order: Option<Order>) -> Vec<Vec<u8>> {
    if model.words.magics.is_some() {
        return alternatives(model).into_iter().map(|(bytes, _)| bytes).collect();
    }
    let magic = model.words.magic.as_ref();
    magic.and_then(|magic| bytes_in(&magic.value, order)).into_iter().collect()
}

/// The constant type of a keeper, for messages.
pub(crate) fn keeper_type(model: &Model<'_>) -> String {
    let len = alternatives(model).first().map_or(0, |(bytes, _)| bytes.len());
    format!("[u8; {len}]")
}

impl Model<'_> {
    /// Whether the magics of variants are numbers in the order of the value around.
    pub(crate) fn has_ordered_magics(&self) -> bool {
        let Body::Union(variants) = &self.body else { return false };
        let ordered = |magic: &Magic| matches!(magic, Magic::Int(_)) && magic_len(magic) > 1;
        let mut magics = variants.iter().filter_map(|variant| variant.words.magic.as_ref());
        self.inherits() && magics.any(|word| ordered(&word.value))
    }

    /// Whether values inside may ask for the order that this type has.
    pub(crate) fn fixes_order_around(&self) -> bool {
        let own = match &self.words.endian {
            Some(word) => !matches!(word.value, Endian::Inherit),
            None => self.words.order.is_some(),
        };
        let asks = |field: &super::Field<'_>| match field.kind {
            _ if field.words.with.is_some() => true,
            Kind::Nested => true,
            Kind::Seq(item) | Kind::Vec(item) | Kind::Array(item) => scalar(item).is_none(),
            _ => false,
        };
        let inside = match &self.body {
            Body::Union(variants) => variants.iter().any(|variant| variant.ty.is_some()),
            _ => self.fields().iter().any(asks),
        };
        own && inside
    }
}
