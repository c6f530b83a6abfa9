//! Tuples: values one behind the other, without names.

use crate::finding::Fault;
use crate::layout::{FieldLayout, Layout, Shape};
use crate::observe::Observer;
use crate::writer::Writer;
use crate::{Cursor, Fill, Open, Wire};

/// The part of a tuple at `name`.
const fn part(name: &'static str, nested: fn() -> &'static Layout) -> FieldLayout {
    FieldLayout {
        name,
        ty: "",
        doc: "",
        words: "",
        offset: None,
        size: None,
        bits: None,
        nested: Some(nested),
        rules: &[],
        overrides: &[],
        computed: false,
        stored: true,
    }
}

/// A field that is its magic alone.
impl<'a> Wire<'a> for () {
    type Args = ();

    const WIRE: &'static Layout = &Layout::scalar("()");
    const MIN_SIZE: usize = 0;
    const FIXED: bool = true;
    const PLAIN: bool = true;
    const SHALLOW: bool = true;
    const OPEN: Open = Open::Never;

    #[inline(always)]
    fn walk<O: Observer>(_: &mut Cursor<'a>, _: &mut O, (): ()) -> Result<(), Fault> {
        Ok(())
    }

    #[inline(always)]
    fn emit(&self, _: &mut Writer<'_>, (): ()) -> Result<(), Fault> {
        Ok(())
    }
}

macro_rules! tuples {
    ($(($($part:ident $index:tt $name:literal)*))*) => { $(
        impl<'a, $($part: Wire<'a>),*> Wire<'a> for ($($part,)*) {
            type Args = ($($part::Args,)*);

            const WIRE: &'static Layout = &Layout {
                shape: Shape::Scalar,
                fields: &[$(part($name, || $part::WIRE)),*],
                ..Layout::scalar("tuple")
            };
            const MIN_SIZE: usize = 0_usize $(.saturating_add($part::MIN_SIZE))*;
            const FIXED: bool = true $(&& $part::FIXED)*;
            const PLAIN: bool = true $(&& $part::PLAIN)*;
            const SHALLOW: bool = true $(&& $part::SHALLOW)*;
            const OPEN: Open = Open::Parts(&[$(|| $part::OPEN),*]);

            #[inline(always)]
            fn walk<O: Observer>(
                cur: &mut Cursor<'a>,
                obs: &mut O,
                args: Self::Args,
            ) -> Result<Self, Fault> {
                let fill = core::mem::replace(&mut cur.fill, Fill::Open);
                let value = ($({
                    obs.enter_extra($name, cur.pos());
                    let part = obs.nested::<$part>(cur, args.$index)?;
                    if O::RECORD {
                        obs.leave(cur.pos(), &part.value());
                    }
                    part
                },)*);
                cur.fill = fill;
                Ok(value)
            }

            #[inline(always)]
            fn emit(&self, out: &mut Writer<'_>, args: Self::Args) -> Result<(), Fault> {
                $(
                    out.enter($name);
                    self.$index.emit(out, args.$index)?;
                    out.leave();
                )*
                Ok(())
            }
        }
    )* };
}

tuples! {
    (A 0 "0")
    (A 0 "0" B 1 "1")
    (A 0 "0" B 1 "1" C 2 "2")
    (A 0 "0" B 1 "1" C 2 "2" D 3 "3")
    (A 0 "0" B 1 "1" C 2 "2" D 3 "3" E 4 "4")
    (A 0 "0" B 1 "1" C 2 "2" D 3 "3" E 4 "4" F 5 "5")
    (A 0 "0" B 1 "1" C 2 "2" D 3 "3" E 4 "4" F 5 "5" G 6 "6")
    (A 0 "0" B 1 "1" C 2 "2" D 3 "3" E 4 "4" F 5 "5" G 6 "6" H 7 "7")
}
