//! Arrays of values of one type, one behind the other.

use crate::finding::Fault;
use crate::layout::Layout;
use crate::observe::Observer;
use crate::value::Value;
use crate::writer::Writer;
use crate::{Cursor, Open, Wire};

/// What an array has as items: a reader needs a value in each place before it has read any.
#[diagnostic::on_unimplemented(
    message = "the items of an array need a `Default`, and `{Self}` has none",
    label = "derive or implement `Default` for `{Self}`, or use a `Vec<{Self}>` with `count`",
    note = "a type parameter says so: `#[bin(bound(T: Default))]`"
)]
pub trait ArrayItem: Default {}

#[diagnostic::do_not_recommend]
impl<T: Default> ArrayItem for T {}

impl<'a, T: Wire<'a> + ArrayItem, const N: usize> Wire<'a> for [T; N] {
    type Args = T::Args;

    const WIRE: &'static Layout = &Layout::scalar("array");
    const MIN_SIZE: usize = T::MIN_SIZE.saturating_mul(N);
    const FRAME: usize = T::FRAME;
    const FIXED: bool = T::FIXED;
    const PLAIN: bool = T::PLAIN;
    const SHALLOW: bool = T::SHALLOW;
    const OPEN: Open = T::OPEN;

    #[inline(always)]
    fn walk<O: Observer>(cur: &mut Cursor<'a>, obs: &mut O, args: T::Args) -> Result<Self, Fault> {
        let mut items: [T; N] = core::array::from_fn(|_| T::default());
        let fill = core::mem::replace(&mut cur.fill, crate::Fill::Open);
        for (item, index) in items.iter_mut().zip(0_u64..) {
            obs.enter_item(index, cur.pos());
            *item = obs.nested(cur, args)?;
            if O::RECORD {
                obs.leave(cur.pos(), &item.value());
            }
        }
        cur.fill = fill;
        Ok(items)
    }

    #[inline(always)]
    fn emit(&self, out: &mut Writer<'_>, args: T::Args) -> Result<(), Fault> {
        self.iter().zip(0_u64..).try_for_each(|(item, index)| {
            out.enter_item(index);
            item.emit(out, args)?;
            out.leave();
            Ok(())
        })
    }

    fn value(&self) -> Value<'_> {
        Value::Items(Some(crate::ops::wide(N)))
    }
}
