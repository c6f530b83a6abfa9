//! Values that are written over others of the same length, in place.

use binfmt_runtime::{BinFormat, Wire, update};

use crate::values::Make;

/// How many values are written over one another.
const VALUES: u64 = 12;

/// What is checked of a type beside the laws of all.
pub type More<T> = fn(u64, fn(&mut Make) -> T, <T as Wire<'static>>::Args) -> Result<(), String>;

/// What borrows from its file is not written over it.
pub fn borrowed<T: Wire<'static>>(_: u64, _: fn(&mut Make) -> T, _: T::Args) -> Result<(), String> {
    Ok(())
}

/// A value takes the place of another one of its length whole, or touches nothing.
pub fn updates<T, A: Copy>(seed: u64, make: fn(&mut Make) -> T, args: A) -> Result<(), String>
where
    T: for<'b> BinFormat<'b> + for<'b> Wire<'b, Args = A>,
{
    let values = (0..VALUES).filter_map(|number| {
        let value = make(&mut Make::new(seed.wrapping_add(number * 77), None).alike());
        let bytes = value.to_vec_with(args).ok()?;
        Some((value, bytes))
    });
    let values: Vec<(T, Vec<u8>)> = values.collect();
    for (_, old) in &values {
        // What a place holds may be written otherwise, and then is not touched.
        let again = T::parse_with(old, args).and_then(|value| value.to_vec_with(args));
        let stays = again.is_ok_and(|again| again == *old);
        for (value, new) in &values {
            let mut place = old.clone();
            let result = update(value, &mut place, args);
            let fits = stays && new.len() == old.len();
            if result.is_ok() != fits || place != *if fits { new } else { old } {
                return Err(format!(
                    "{new:02x?} over {old:02x?}: {result:?}, which left {place:02x?}"
                ));
            }
        }
    }
    Ok(())
}
