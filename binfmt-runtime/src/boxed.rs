//! Values in a `Box`, which may contain values of their own type.

use alloc::boxed::Box;

use crate::finding::Fault;
use crate::layout::Layout;
use crate::observe::Observer;
use crate::value::Value;
use crate::writer::Writer;
use crate::{Cursor, DefaultArgs, Open, Wire, seq};

impl<'a, T: Wire<'a>> Wire<'a> for Box<T> {
    type Args = T::Args;

    const WIRE: &'static Layout = T::WIRE;
    // A type that contains itself has no size that could be asked for here.
    const MIN_SIZE: usize = 0;
    const FIXED: bool = false;
    // What is in a box is a level of its own.
    const FRAME: usize = 512;
    const OPEN: Open = Open::Parts(&[|| T::OPEN]);
    const PARAMETERS: &'static [&'static str] = T::PARAMETERS;

    fn walk<O: Observer>(cur: &mut Cursor<'a>, obs: &mut O, args: T::Args) -> Result<Self, Fault> {
        if obs.limits().descend::<T>().is_none() {
            return Err(seq::too_deep(cur, obs));
        }
        let value = obs.nested::<T>(cur, args);
        obs.limits().ascend::<T>();
        value.map(Self::new)
    }

    fn emit(&self, out: &mut Writer<'_>, args: T::Args) -> Result<(), Fault> {
        out.level::<T>(|out| T::emit(self, out, args))
    }

    fn value(&self) -> Value<'_> {
        T::value(self)
    }
}

impl<'a, T: DefaultArgs<'a>> DefaultArgs<'a> for Box<T> {
    fn default_args() -> T::Args {
        T::default_args()
    }
}
