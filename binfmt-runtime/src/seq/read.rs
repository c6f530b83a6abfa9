//! Reading a sequence: the bytes that it spans, and its items for who looks at them.

use super::{Alike, Follow, Part, Seq, Source, Until, too_deep, trailing, without_bytes};
use crate::finding::{Fault, Severity};
use crate::observe::Observer;
use crate::ops::wide;
use crate::{Cursor, Fill, Wire, walk};

impl<'a, T: Wire<'a>> Seq<'a, T> {
    /// Reads a sequence: checks its bounds, and walks it if its end must be known.
    #[inline(always)]
    pub fn read<O: Observer>(
        cur: &mut Cursor<'a>,
        obs: &mut O,
        until: Until,
        slack: bool,
        args: T::Args,
    ) -> Result<Self, Fault> {
        Self::read_by(cur, obs, until, slack, args, &Alike)
    }

    /// The same, where the arguments of items may follow from the item before.
    #[inline(always)]
    pub(super) fn read_by<O: Observer>(
        cur: &mut Cursor<'a>,
        obs: &mut O,
        until: Until,
        slack: bool,
        args: T::Args,
        follow: &impl Follow<'a, T>,
    ) -> Result<Self, Fault> {
        let region = Self::region(cur, obs, until, slack)?;
        let Some(mut region) = region else {
            return Self::walk_to_end(cur, obs, until, args, follow);
        };
        if slack {
            region.fill = Fill::Loose;
        }
        if obs.walks_items() {
            let mut items = region;
            let depth = obs.depth();
            match Self::walk_items(&mut items, obs, until, args, follow) {
                Ok(()) => Self::end(&items, obs)?,
                // The region is known, so a validator goes on behind it.
                Err(_) if O::RECORD && !obs.limits().is_spent() => obs.unwind(depth, items.pos()),
                Err(fault) => return Err(fault),
            }
        }
        Ok(Self { source: Source::File(Part { cur: region, until, args, slack }) })
    }

    /// The bytes that the sequence spans, where that is known before walking it.
    #[inline(always)]
    fn region<O: Observer>(
        cur: &mut Cursor<'a>,
        obs: &mut O,
        until: Until,
        slack: bool,
    ) -> Result<Option<Cursor<'a>>, Fault> {
        let all = wide(cur.remaining());
        let fill = cur.fill;
        let count = match until {
            Until::Count(count) => count,
            // What is too short for one more item belongs to what follows, or is kept.
            Until::Remaining(least) if fill == Fill::Open && least > 1 && !slack => {
                let size = T::MIN_SIZE;
                let left = cur.remaining();
                if !T::FIXED || size < least {
                    return Ok(None);
                }
                let more = left.checked_rem(size).filter(|more| *more < least);
                let len = more.and_then(|more| left.checked_sub(more)).unwrap_or(left);
                return Ok(cur.split(wide(len), Fill::Exact));
            }
            Until::Remaining(_) => return Ok(Some(cur.split_rest(fill))),
        };
        let smallest = wide(T::MIN_SIZE);
        match count.saturating_mul(smallest) {
            least if least > all => Err(walk::short(cur, obs, least)),
            len if T::FIXED && T::MIN_SIZE > 0 && fill == Fill::Open => {
                Ok(cur.split(len, Fill::Exact))
            }
            _ if fill == Fill::Open => Ok(None),
            _ => Ok(Some(cur.split_rest(fill))),
        }
    }

    /// Walks the items to find where the sequence ends.
    fn walk_to_end<O: Observer>(
        cur: &mut Cursor<'a>,
        obs: &mut O,
        until: Until,
        args: T::Args,
        follow: &impl Follow<'a, T>,
    ) -> Result<Self, Fault> {
        let start = *cur;
        Self::walk_items(cur, obs, until, args, follow)?;
        let len = cur.pos().saturating_sub(start.pos());
        let mut seq = start;
        let region = seq.split(wide(len), Fill::Exact).unwrap_or(start);
        // What the items leave of their region is not part of this one.
        let until = match until {
            Until::Remaining(_) => Until::Remaining(1),
            count @ Until::Count(_) => count,
        };
        let part = Part { cur: region, until, args, slack: false };
        Ok(Self { source: Source::File(part) })
    }

    fn walk_items<O: Observer>(
        cur: &mut Cursor<'a>,
        obs: &mut O,
        until: Until,
        args: T::Args,
        follow: &impl Follow<'a, T>,
    ) -> Result<(), Fault> {
        if obs.limits().descend::<T>().is_none() {
            return Err(too_deep(cur, obs));
        }
        let result = Self::walk_each(cur, obs, until, args, follow);
        obs.limits().ascend::<T>();
        result
    }

    fn walk_each<O: Observer, F: Follow<'a, T>>(
        cur: &mut Cursor<'a>,
        obs: &mut O,
        until: Until,
        args: T::Args,
        follow: &F,
    ) -> Result<(), Fault> {
        let fill = core::mem::replace(&mut cur.fill, Fill::Open);
        let mut done = 0_u64;
        let mut known = Some(args);
        while !until.ends(done, cur.remaining()) {
            let args = walk::arguments(cur, obs, known)?;
            let depth = obs.depth();
            let before = cur.remaining();
            obs.enter_item(done, cur.pos());
            cur.stepped = false;
            let (origin, order) = (cur.origin, cur.order);
            match obs.nested::<T>(cur, args) {
                Ok(item) => {
                    if O::RECORD {
                        obs.leave(cur.pos(), &item.value());
                    }
                    known = follow.next(&item, args);
                }
                // The end of the damaged item is known, so a validator steps over it, unless the next
                // one asks what it says.
                Err(_)
                    if O::RECORD
                        && !F::LINKED
                        && obs.walks_items()
                        && cur.stepped
                        && cur.remaining() < before
                        && !obs.limits().is_spent() =>
                {
                    obs.unwind(depth, cur.pos());
                    (cur.origin, cur.order) = (origin, order);
                    cur.fill = Fill::Open;
                }
                Err(fault) => return Err(fault),
            }
            if T::MIN_SIZE == 0 && cur.remaining() == before {
                without_bytes::<T, O>(cur, obs, until)?;
            }
            done = done.saturating_add(1);
        }
        cur.fill = fill;
        Ok(())
    }

    /// Looks at what the items leave of the region.
    fn end<O: Observer>(cur: &Cursor<'a>, obs: &mut O) -> Result<(), Fault> {
        if cur.remaining() == 0 {
            return Ok(());
        }
        match cur.fill {
            Fill::Exact => obs.broken(&walk::leftover(cur)),
            Fill::Loose | Fill::Open => {
                obs.note(Severity::Warning, &trailing(cur));
                Ok(())
            }
        }
    }
}
