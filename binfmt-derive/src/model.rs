//! A declaration as plain data: what the attributes and types mean, before any rule is checked.

mod bits;
mod byte_tag;
pub(crate) mod checksum;
mod ends;
mod enums;
mod exprs;
mod flat;
mod generics;
mod kept;
mod kind;
mod last;
mod lets;
pub(crate) mod limits;
mod made;
mod magic;
mod measures;
mod parallel;
mod placed;
mod presence;
mod previous;
mod read;
mod remaining;
mod this;

use std::cell::OnceCell;
use std::collections::HashMap;

use proc_macro2::Span;
use syn::{DeriveInput, GenericArgument, Ident, Lifetime, Member, PathArguments, Type};

use crate::attr::{Args, Computed, Endian, Order, Parameter, Section, Word, Words};
use crate::expr::{Expr, Measure};
use crate::parts::Part;

pub(crate) use bits::Storage;
pub(crate) use ends::Cut;
pub(crate) use enums::TagSort;
pub(crate) use exprs::{Owner, Scope, Use};
pub(crate) use generics::{is_parameter, parameter, takes_order};
pub(crate) use kind::{
    Kind, Numeric, Scalar, array_len, array_of_bytes, encoded, is_byte, is_lazy, number_type,
    parts, scalar, takes_arguments, type_argument, type_text, widest,
};
pub(crate) use last::item_of;
pub(crate) use magic::{
    alternatives, bytes_in, keeper_type, kept_magic, known_magics, magic_bytes, magic_len,
    number_in, variant_magics, variant_magics_in,
};
pub(crate) use parallel::{ItemSum, Parallel};
pub(crate) use placed::{Space, placed_in, sharers};
pub(crate) use presence::Flag;
pub(crate) use previous::{is_before, is_given};
pub(crate) use read::read;
pub(crate) use this::{is_entry, is_group, is_item, is_value};

/// One declared type.
pub(crate) struct Model<'s> {
    pub(crate) input: &'s DeriveInput,
    /// The variant whose fields these are, where the type is no one's own.
    pub(crate) part: Option<&'s Part>,
    pub(crate) words: Words,
    pub(crate) doc: String,
    /// The lifetime of the input, if the type borrows from it.
    pub(crate) lifetime: Option<&'s Lifetime>,
    pub(crate) body: Body<'s>,
    /// Fields of a struct that are not on the wire.
    pub(crate) skipped: Vec<Field<'s>>,
    /// The index of each field by its name, for every expression asks for some.
    by_name: HashMap<String, usize>,
    /// What `measures` lists, by the indexes of the fields.
    measured: OnceCell<Vec<(Measure, usize)>>,
}

/// What the type consists of.
pub(crate) enum Body<'s> {
    Struct(Vec<Field<'s>>),
    /// A number with names.
    Enum {
        repr: Scalar,
        repr_ty: Ident,
        variants: Vec<Named<'s>>,
        /// Variants that keep their number, which is one of several.
        kept: Vec<Kept<'s>>,
        other: Option<&'s Ident>,
    },
    Union(Vec<Variant<'s>>),
}

/// One field of a struct.
pub(crate) struct Field<'s> {
    pub(crate) member: Member,
    /// The name in expressions.
    pub(crate) name: Ident,
    /// The name in the paths of errors, which the only value of a tuple struct has none in.
    pub(crate) label: String,
    /// The type as declared.
    pub(crate) ty: &'s Type,
    /// The type of the value on the wire: without the `Option` of an optional field.
    pub(crate) inner: &'s Type,
    pub(crate) kind: Kind<'s>,
    pub(crate) words: Words,
    pub(crate) doc: String,
    pub(crate) parallel: Option<Parallel<'s>>,
    /// The bit of an earlier field that says whether it is there.
    pub(crate) flag: Option<Flag>,
    /// The tag that its bytes, or its text, are computed from.
    pub(crate) byte_tag: Option<Word<Expr>>,
    /// Whether it stands for one value of a field with `for_each`.
    pub(crate) is_element: bool,
}

/// One constant of a C-like enum.
pub(crate) struct Named<'s> {
    pub(crate) ident: &'s Ident,
    pub(crate) number: syn::Expr,
    pub(crate) doc: String,
}

/// One name for several numbers of a C-like enum.
pub(crate) struct Kept<'s> {
    pub(crate) ident: &'s Ident,
    pub(crate) words: Words,
    pub(crate) doc: String,
}

/// One variant of a union.
pub(crate) struct Variant<'s> {
    pub(crate) ident: &'s Ident,
    /// `None` for a variant that is its magic or id alone.
    pub(crate) ty: Option<&'s Type>,
    /// The type of the tag, where the variant keeps it: it stands for several.
    pub(crate) kept: Option<&'s Type>,
    /// The fields that it holds in place of a value of that type.
    pub(crate) part: Option<&'s Part>,
    pub(crate) words: Words,
    pub(crate) doc: String,
}

/// A byte order, as far as the declaration knows it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ByteOrder {
    Fixed(Order),
    /// The value or the one around it stores it.
    Dynamic,
}

impl Field<'_> {
    /// Whether the field may be absent.
    pub(crate) fn is_optional(&self) -> bool {
        self.words.may_be_absent() || self.is_slot_option()
    }

    /// Whether a tuple struct that has no other field reads like the value.
    fn is_all_of_a_tuple(&self) -> bool {
        matches!(self.member, Member::Unnamed(_)) && !self.is_optional()
    }

    /// The fields of its type that the writer sets.
    pub(crate) fn setters(&self) -> &[(Ident, Expr)] {
        match &self.words.set {
            Some(Word { value: Args::Passed(list), .. }) => list,
            _ => &[],
        }
    }

    /// The numbers of an item that the writer sets, for one value of a field with `for_each`.
    pub(crate) fn item_setters(&self) -> &[(Expr, Expr)] {
        self.words.set.as_ref().map_or(&[], |set| set.value.of_items())
    }

    /// The kind of an integer that may be absent.
    pub(crate) fn integer_inside(&self) -> Option<Kind<'_>> {
        let integer = self.kind.scalar().is_some_and(Scalar::is_int);
        let plain = self.words.with.is_none() && self.words.map.is_none();
        Some(self.kind).filter(|_| integer && plain && self.is_optional())
    }

    /// The type that is stored: that of the value, unless it is converted.
    pub(crate) fn stored(&self) -> &Type {
        self.words.map.as_ref().map_or(self.inner, |map| &map.value.stored)
    }

    /// The field whose tag an enum of numbers is computed from: `calc = tag(body)`.
    pub(crate) fn named_tag(&self) -> Option<&Ident> {
        let words = &self.words;
        let plain = matches!(self.kind, Kind::Nested)
            && !self.is_optional()
            && !self.is_element
            && words.with.is_none()
            && words.map.is_none();
        match &words.calc.as_ref()?.value {
            Expr::Measure(Measure::Tag, name) if plain => Some(name),
            _ => None,
        }
    }

    /// Whether a sequence ends with the first item that meets a condition.
    pub(crate) fn until_last(&self) -> bool {
        let last = format!("__last_{}", self.name);
        let until = self.words.until.as_ref();
        until.is_some_and(|until| until.value.names().iter().any(|name| **name == last))
    }

    /// Whether the length of the field is that of the bytes that it holds.
    pub(crate) fn is_bytes(&self) -> bool {
        self.kind.is_bytes() && self.words.with.is_none() && self.words.map.is_none()
    }

    /// Whether the field is a number whose size depends on itself.
    pub(crate) fn is_variable(&self) -> bool {
        self.kind.scalar().is_some_and(|scalar| scalar.variable)
    }

    /// Whether the field lies at an offset, outside the sequence.
    pub(crate) fn is_located(&self) -> bool {
        self.one().words.at.is_some()
    }

    /// Whether it ends where the next value at an offset begins.
    pub(crate) fn goes_to_next(&self) -> bool {
        self.one().words.until_next.is_some()
    }

    /// Whether its bytes belong to other fields.
    pub(crate) fn is_view(&self) -> bool {
        self.one().words.view.is_some()
    }

    /// Whether values of those that lie in the field may lie there, too.
    pub(crate) fn is_open(&self) -> bool {
        self.words.section.as_ref().is_some_and(|section| section.value == Section::Open)
    }

    /// The field itself, or one value of a field with `for_each`: what the words of place speak of.
    pub(crate) fn one(&self) -> &Self {
        self.parallel.as_ref().map_or(self, |parallel| &parallel.element)
    }

    /// The byte order of the field: its own, else that of the type.
    pub(crate) fn order(&self, model: &Model<'_>) -> Option<ByteOrder> {
        let own = self.words.order.as_ref().map(|word| ByteOrder::Fixed(word.value));
        own.or_else(|| model.order_at(model.field(&self.name)?.0))
    }
}

impl Model<'_> {
    /// The parameters of the type.
    pub(crate) fn parameters(&self) -> &[Parameter] {
        self.words.args.as_ref().map_or(&[], |word| word.value.declared())
    }

    /// The byte order of the type, as it is known at the field at `index`.
    pub(crate) fn order_at(&self, index: usize) -> Option<ByteOrder> {
        if let Some(word) = &self.words.order {
            return Some(ByteOrder::Fixed(word.value));
        }
        (index >= self.order_known()?).then_some(ByteOrder::Dynamic)
    }

    /// The first field for which the byte order is known that the value tells.
    pub(crate) fn order_known(&self) -> Option<usize> {
        Some(match &self.words.endian.as_ref()?.value {
            Endian::Inherit => 0,
            Endian::Magic => 1,
            Endian::Computed(expr) => {
                let named = expr.names().into_iter().filter_map(|name| self.field(name));
                named.map(|(index, _)| index.saturating_add(1)).max().unwrap_or(0)
            }
        })
    }

    /// Whether the type has the byte order of the value around it.
    pub(crate) fn inherits(&self) -> bool {
        self.words.endian.as_ref().is_some_and(|word| matches!(word.value, Endian::Inherit))
    }

    /// How many fields lie in front of what `len` of the type limits: up to the last one that it names,
    /// none where it is a constant or comes from arguments.
    pub(crate) fn unlimited_fields(&self) -> Option<usize> {
        let len = self.words.len.as_ref()?;
        let named = len.value.names().into_iter().filter_map(|name| self.field(name));
        Some(named.map(|(index, _)| index.saturating_add(1)).max().unwrap_or(0))
    }

    pub(crate) fn fields(&self) -> &[Field<'_>] {
        match &self.body {
            Body::Struct(fields) => fields,
            _ => &[],
        }
    }

    /// Whether there are values beside the items of tables.
    pub(crate) fn has_tables(&self) -> bool {
        self.fields().iter().any(|field| field.parallel.is_some())
    }

    /// The argument that a field with `skip` keeps: its default is the name of one.
    pub(crate) fn kept_argument(&self, field: &Field<'_>) -> Option<&Parameter> {
        let syn::Expr::Path(path) = &field.words.default.as_ref()?.value else { return None };
        let name = path.path.get_ident()?;
        self.parameters().iter().find(|parameter| parameter.name == *name)
    }

    /// Whether a value can be read again when it has been written: a parameter that is a type, and
    /// arguments that borrow, do not live as long.
    pub(crate) fn outlives(&self) -> bool {
        self.input.generics.type_params().next().is_none()
            && self.parameters().iter().all(|parameter| is_owned(&parameter.ty))
    }

    /// The words of the type, of its fields, and of the values of fields with `for_each`.
    pub(crate) fn all_words(&self) -> impl Iterator<Item = &Words> {
        let elements = self.fields().iter().filter_map(|field| field.parallel.as_ref());
        let fields = self.fields().iter().map(|field| &field.words);
        fields.chain(elements.map(|parallel| &parallel.element.words)).chain([&self.words])
    }

    /// The field that the offset of a located field counts from, if it is one.
    pub(crate) fn base_of(&self, field: &Field<'_>) -> Option<usize> {
        let base = &field.one().words.base.as_ref()?.value;
        self.field(base).map(|(index, _)| index).filter(|_| base != "file" && base != "start")
    }

    /// The type of the values that hold the tables which a field with `for_each` names.
    pub(crate) fn group_type(&self, parallel: &Parallel<'_>) -> Option<&Type> {
        let (_, root) = self.field(&parallel.root).filter(|_| parallel.inner)?;
        Some(match root.kind {
            _ if parallel.path.is_empty() => root.ty,
            Kind::Vec(item) | Kind::Array(item) => item,
            _ => root.inner,
        })
    }

    /// The type of the items of the table that a field with `for_each` names.
    pub(crate) fn entry_type(&self, parallel: &Parallel<'_>) -> Option<&Type> {
        if parallel.inner {
            return None;
        }
        match self.field(&parallel.table)?.1.kind {
            Kind::Seq(item) | Kind::Vec(item) | Kind::Array(item) => Some(item),
            _ => None,
        }
    }

    pub(crate) fn field(&self, name: &Ident) -> Option<(usize, &Field<'_>)> {
        let index = *self.by_name.get(&name.to_string())?;
        Some((index, self.fields().get(index)?))
    }

    /// The field of a name in which a keyword has no `r#`.
    fn field_named(&self, name: &str) -> Option<&Field<'_>> {
        let raw = || self.by_name.get(&format!("r#{name}"));
        self.fields().get(*self.by_name.get(name).or_else(raw)?)
    }

    /// The computed value of that name.
    pub(crate) fn computed(&self, name: &Ident) -> Option<&Computed> {
        self.words.computed.iter().find(|computed| computed.name == *name)
    }

    /// Whether the type is a tuple struct around one value that is always there, which it then reads like.
    pub(crate) fn is_transparent(&self) -> bool {
        matches!(self.fields(), [field] if field.is_all_of_a_tuple())
    }
}

/// `T` of an `Option<T>`.
pub(crate) fn option_argument(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let segment = path.path.segments.last().filter(|segment| segment.ident == "Option")?;
    type_argument(&segment.arguments)
}

/// A span for mistakes that concern the whole declaration.
impl Model<'_> {
    pub(crate) fn span(&self) -> Span {
        self.input.ident.span()
    }

    /// What reports call the type.
    pub(crate) fn name(&self) -> String {
        read::name(self.input, self.part)
    }
}

/// Whether a type names no lifetime.
fn is_owned(ty: &Type) -> bool {
    match ty {
        Type::Array(array) => is_owned(&array.elem),
        Type::Tuple(tuple) => tuple.elems.iter().all(is_owned),
        Type::Path(path) => path.path.segments.iter().all(|segment| match &segment.arguments {
            PathArguments::None => true,
            PathArguments::AngleBracketed(given) => given.args.iter().all(|arg| match arg {
                GenericArgument::Type(ty) => is_owned(ty),
                GenericArgument::Const(_) => true,
                _ => false,
            }),
            PathArguments::Parenthesized(_) => false,
        }),
        _ => false,
    }
}
