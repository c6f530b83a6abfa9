//! The words that only `FlatBuffers` tables, their unions and the fields with buffers have.

use super::Place::{Field, Type as OnType, Variant};
use super::row::{Form, Row, word};

pub(super) const FLATBUFFER: Row = word("flatbuffer", "flatbuffer")
    .on(&[(OnType, "the type stands in a `FlatBuffers` buffer: a struct is a table, an enum a union of tables or, with `#[repr(..)]`, a named number in a table", "no part of a table")])
    .forms(Form::TYPES);

pub(super) const INLINE: Row = word("inline", "inline")
    .on(&[(OnType, "with `flatbuffer`, on a struct: it is a struct in the sense of `FlatBuffers`, of fixed size, and lies in the table itself", "a table")])
    .forms(Form::TYPES);

pub(super) const IDENTIFIER: Row = word("identifier", "identifier = b\"ABCD\"")
    .on(&[(
        OnType,
        "`= b\"SHIP\"`: the four bytes at offset 4 of a buffer that has this table at its root",
        "any bytes",
    )])
    .forms(Form::TYPES);

pub(super) const SLOT: Row = word("slot", "slot = 0")
    .on(&[(Field, "`= 3`: where the vtable of a table has the field; of a union its value, whose tag has the slot before", "needed in a table")])
    .forms(Form::FIELDS);

pub(super) const DEFAULT: Row = word("default", "default = 1")
    .on(&[(Field, "`= 1`: in a table, what stands for a number that is not stored; with `skip`, what the field holds when the value has been read: literals, constants and calls", "0; texts and vectors are empty; with `skip`, `Default`")])
    .forms(Form::FIELDS);

pub(super) const REQUIRED: Row = word("required", "required")
    .on(&[(
        Field,
        "a table that does not store the field stops a reader",
        "the default, or `None`",
    )])
    .forms(Form::FIELDS);

pub(super) const UNION: Row = word("union", "union")
    .on(&[(Field, "the field is a union: two slots, the tag and the table", "one slot")])
    .forms(Form::FIELDS);

pub(super) const ROOT: Row = word("root", "root = field")
    .on(&[(Field, "`= field`: the root of this buffer is told by an earlier `u32`, where the buffer begins; the writer computes it", "by the first four bytes")]);

pub(super) const SLOTS: Row = word("slots", "slots = 3")
    .on(&[(Variant, "`= 3`: the most slots that a vtable of this schema has, in an enum that is one table in one of several schemas; the first variant with room for all slots is read", "only the last variant can be without")])
    .forms(&[Form::Schemas]);
