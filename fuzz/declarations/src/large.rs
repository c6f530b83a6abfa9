//! What large inputs cost: walks and writers take so many steps, and so much time and memory, for a byte,
//! however many there are, and whatever they hold.
//!
//! Large values make large files; those are changed where many fields are alike (all offsets lead to
//! one value, all counts are the highest), and of the changes those are kept that cost more.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::ops::Range;
use std::time::Duration;

use binfmt_runtime::{BinFormat, DefaultArgs, Node, Tree, laws};
use cpu_time::ThreadTime;

use crate::rng::Rng;
use crate::values::Make;

/// How many times larger than usual sequences may be.
const SCALE: u64 = 8000;

/// How many values are made, of which many are refused, or small.
const VALUES: u64 = 24;

/// A file that is worth looking at, in bytes.
const WORTH: Range<usize> = 8 << 10..1 << 20;

/// How many changes are tried.
const CHANGES: usize = 60;

/// Steps for a byte of input. Each byte may be visited nine times, and a visit passes the types that
/// are nested there.
const STEPS: u64 = 40;

/// Processor time for a byte of input, without optimization.
const PER_BYTE: Duration = Duration::from_micros(2);

/// What every walk may take beside that.
const BASE: Duration = Duration::from_millis(100);

/// Memory for a byte of input.
const MEMORY: u64 = 4096;

/// What an action costs for an input of so many bytes, which has to be linear in them.
fn timed<R>(what: &str, len: usize, act: impl FnOnce() -> R) -> Result<R, String> {
    let start = ThreadTime::now();
    let mut result = None;
    let memory = allocation_counter::measure(|| result = Some(act()));
    let time = start.elapsed();
    if time > BASE + PER_BYTE * u32::try_from(len).unwrap_or(u32::MAX) {
        return Err(format!("slow: {what} of {len} bytes takes {time:?}"));
    }
    if memory.bytes_max > (1 << 20) + MEMORY * len as u64 {
        return Err(format!("memory: {what} of {len} bytes takes {}", memory.bytes_max));
    }
    Ok(result.expect("it has been done"))
}

/// Checks the costs of one declaration, and says how many files were large enough.
pub fn check<T>(seed: u64, make: fn(&mut Make) -> T) -> Result<u64, String>
where
    T: BinFormat<'static> + DefaultArgs<'static> + Debug + PartialEq,
{
    let args = T::default_args();
    let mut largest: Option<(T, &'static [u8])> = None;
    let mut most = 0;
    for number in 0..VALUES {
        let value = make(&mut Make::large(seed.wrapping_add(number * 77), SCALE));
        let Some(bytes) = written(&value)?.filter(|bytes| WORTH.contains(&bytes.len())) else {
            continue;
        };
        let bytes: &'static [u8] = bytes.leak();
        let steps = laws::cost::<T>(bytes, args).most();
        if steps > most {
            (largest, most) = (Some((value, bytes)), steps);
        }
    }
    let Some((value, bytes)) = largest else { return Ok(0) };
    let again = laws::written_is_read(&value, args).map_err(|law| format!("large: {law:.400}"))?;
    again.map_err(|error| format!("large: `to_vec` took what is refused now: {error}"))?;
    walked::<T>(bytes)?;
    let tree = T::inspect_with(bytes, args);
    walked::<T>(worst::<T>(&mut Rng::new(seed), bytes, &tree).leak())?;
    Ok(1)
}

/// What is written of a value, unless it is refused or longer than any that is looked at.
fn written<T>(value: &T) -> Result<Option<Vec<u8>>, String>
where
    T: BinFormat<'static> + DefaultArgs<'static>,
{
    let args = T::default_args();
    let Ok(len) = value.encoded_len_with(args) else { return Ok(None) };
    match usize::try_from(len).ok().filter(|len| *len < WORTH.end) {
        Some(len) => Ok(timed("to_vec", len, || value.to_vec_with(args))?.ok()),
        None => Ok(None),
    }
}

/// All walks over one input.
fn walked<T>(bytes: &'static [u8]) -> Result<(), String>
where
    T: BinFormat<'static> + DefaultArgs<'static>,
{
    let args = T::default_args();
    let len = bytes.len();
    let steps = laws::cost::<T>(bytes, args);
    if steps.most() > STEPS * len as u64 {
        return Err(format!("steps: {len} bytes take {steps:?}"));
    }
    timed("parse", len, || T::parse_with(bytes, args).is_ok())?;
    timed("is_valid", len, || T::is_valid_with(bytes, args))?;
    timed("validate", len, || T::validate_with(bytes, args).is_ok())?;
    timed("inspect", len, || drop(T::inspect_with(bytes, args)))
}

/// The file with those changes that make walks take more steps.
fn worst<T>(rng: &mut Rng, file: &'static [u8], tree: &Tree) -> Vec<u8>
where
    T: BinFormat<'static> + DefaultArgs<'static>,
{
    let mut alike = BTreeMap::new();
    collect(&tree.root, "", &mut alike);
    let alike: Vec<Vec<Range<usize>>> = alike.into_values().collect();
    let mut worst = file.to_vec();
    let mut most = laws::cost::<T>(file, T::default_args()).most();
    if alike.is_empty() {
        return worst;
    }
    for _ in 0..CHANGES {
        let mut changed = worst.clone();
        let fields = &alike[rng.index(alike.len())];
        change(rng, &mut changed, fields);
        let changed: &'static [u8] = changed.leak();
        let steps = laws::cost::<T>(changed, T::default_args()).most();
        if steps > most {
            (worst, most) = (changed.to_vec(), steps);
        }
    }
    worst
}

/// Where small fields and items lie, by their path without the numbers of items.
fn collect(node: &Node, path: &str, alike: &mut BTreeMap<String, Vec<Range<usize>>>) {
    let name = if node.name.starts_with('[') { "[]" } else { node.name.as_str() };
    let path = format!("{path}.{name}");
    let mut parts = node.children.iter().filter(|child| !child.is_decoded()).peekable();
    let len = node.end - node.start;
    if parts.peek().is_none() && (1..=8).contains(&len) || name == "[]" && (1..=64).contains(&len) {
        let range = node.start as usize..node.end as usize;
        alike.entry(path.clone()).or_default().push(range);
    }
    parts.for_each(|child| collect(child, &path, alike));
}

/// Makes fields or items that are alike the same, or gives them the same number or ascending ones.
fn change(rng: &mut Rng, bytes: &mut [u8], fields: &[Range<usize>]) {
    // The first ones are mostly the larger ones: later there is no space left for them.
    let likely = if rng.percent(50) { &fields[..fields.len().min(4)] } else { fields };
    let one = bytes[rng.pick(likely).clone()].to_vec();
    let (kind, step) = (rng.below(10), rng.below(9));
    let (big, len) = (rng.percent(50), bytes.len() as u64);
    for (field, index) in fields.iter().zip(0_u64..) {
        let number = match kind {
            0 => 0,
            1 => u64::MAX,
            2 => step,
            3 => index * step,
            4 => len - len.min(step * 8),
            _ => {
                put(&mut bytes[field.clone()], one.iter());
                continue;
            }
        };
        match big {
            false => put(&mut bytes[field.clone()], number.to_le_bytes().iter()),
            true => put(bytes[field.clone()].iter_mut().rev(), number.to_le_bytes().iter()),
        }
    }
}

fn put<'b>(place: impl IntoIterator<Item = &'b mut u8>, new: std::slice::Iter<'_, u8>) {
    place.into_iter().zip(new).for_each(|(byte, new)| *byte = *new);
}
