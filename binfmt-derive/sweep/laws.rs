//! The laws on declarations of the sweep: inputs are changed until the reader takes them, and from there on; values
//! that were read get fields of others. `scripts/words-laws` puts this into a program with the declarations.

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use binfmt_runtime::{BinFormat, DefaultArgs, Error, Report, laws};

/// How many inputs are tried, and how many that are read are kept.
const ROUNDS: usize = 1200;
const KEPT: usize = 60;

pub(crate) struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() >> 11) as usize % end.max(1)
    }

    fn pick(&mut self, list: &[u8]) -> u8 {
        list[self.below(list.len())]
    }

    /// A byte that is often small, or an offset.
    fn byte(&mut self) -> u8 {
        match self.below(10) {
            0..=3 => 0,
            4..=6 => self.below(4) as u8,
            7 => self.below(12) as u8,
            8 => 30 + self.below(60) as u8,
            _ => self.next() as u8,
        }
    }

    /// An input whose head the declarations of fields take: small numbers, and places in the section or behind all.
    fn skeleton(&mut self) -> Vec<u8> {
        let mut bytes = vec![0; 60 + self.below(60)];
        let place = [60, 34, 8, 0, 50, 36, 44];
        // What stands there: `prelude.rs`, and `around` of the sweep.
        for (at, choice) in [
            (0, &[1, 2, 3, 4, 5, 6][..]),
            (1, &place),
            (5, &[0, 1]),
            (6, &[0, 1, 2, 4, 8, 11]),
            (8, &[1, 2]),
            (9, &[0, 1, 2, 5]),
            (16, &place),
            (20, &[0, 1, 2, 3, 5]),
            (24, &[70, 37, 3, 0, 9, 64]),
            (28, &[0, 1, 2, 3, 5]),
            (40, &place),
            (41, &place),
        ] {
            bytes[at] = self.pick(choice);
        }
        if self.below(2) == 0 {
            bytes[42..].iter_mut().for_each(|byte| *byte = self.byte());
        }
        if self.below(3) == 0 {
            let at = 40 + self.below(2);
            bytes[at..at + 2].copy_from_slice(b"AB");
        }
        bytes
    }

    fn changed(&mut self, file: &[u8], reached: usize) -> Vec<u8> {
        let mut copy = file.to_vec();
        for _ in 0..=self.below(4) {
            if copy.is_empty() {
                copy.push(self.byte());
                continue;
            }
            let near = (reached + self.below(8)).saturating_sub(2).min(copy.len() - 1);
            let at = if self.below(2) == 0 { self.below(copy.len()) } else { near };
            match self.below(12) {
                0..=5 => copy[at] = self.byte(),
                6 => copy.truncate(at.max(20)),
                7 => (0..self.below(9)).for_each(|_| copy.push(self.byte())),
                8 => copy.insert(at, self.byte()),
                9 => drop(copy.remove(at)),
                10 => copy[at..].iter_mut().zip(b"AB").for_each(|(byte, letter)| *byte = *letter),
                _ => copy[at] ^= 1 << self.below(8),
            }
        }
        copy
    }
}

/// Tries a declaration; `edit` gives a value fields of another one.
pub(crate) fn case<T>(number: usize, edit: fn(&mut T, &T, usize))
where
    T: BinFormat<'static> + DefaultArgs<'static> + Debug + PartialEq + Clone,
{
    let mut counts = (0, 0);
    let result = catch_unwind(AssertUnwindSafe(|| check::<T>(number, edit, &mut counts)));
    let result = result.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        Err(format!("a panic: {}", text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("")))
    });
    println!("tried {number} {} {}", counts.0, counts.1);
    if let Err(law) = result {
        println!("broken {number} {}", law.replace('\n', "\\n"));
    }
}

fn check<T>(
    number: usize,
    edit: fn(&mut T, &T, usize),
    (read, edited): &mut (usize, usize),
) -> Result<(), String>
where
    T: BinFormat<'static> + DefaultArgs<'static> + Debug + PartialEq + Clone,
{
    let mut rng = Rng((number as u64 + 1).wrapping_mul(0x2545_f491_4f6c_dd1d) | 1);
    let files = inputs::<T>(&mut rng);
    *read = files.len();
    let mut values = Vec::new();
    for &bytes in &files {
        file::<T>(bytes)?;
        values.extend(T::parse_with(bytes, T::default_args()).ok());
    }
    for _ in 0..KEPT {
        let start: &[u8] = if files.is_empty() { &[0; 90] } else { files[rng.below(files.len())] };
        file::<T>(rng.changed(start, 0).leak())?;
    }
    if values.is_empty() {
        return Ok(());
    }
    for _ in 0..KEPT {
        let mut value = values[rng.below(values.len())].clone();
        edit(&mut value, &values[rng.below(values.len())], rng.below(1000));
        *edited += usize::from(edited_value(&value)?);
    }
    Ok(())
}

/// Inputs that are read, found from those that get farthest.
fn inputs<T>(rng: &mut Rng) -> Vec<&'static [u8]>
where
    T: BinFormat<'static> + DefaultArgs<'static>,
{
    let (mut best, mut reached) = (Vec::new(), 0);
    let mut good: Vec<&'static [u8]> = Vec::new();
    for round in 0..ROUNDS {
        if good.is_empty() && round % 20 == 0 {
            (best, reached) = (rng.skeleton(), 0);
        }
        let start = match good.is_empty() || rng.below(3) == 0 {
            true => &best[..],
            false => good[rng.below(good.len())],
        };
        let file: &'static [u8] = rng.changed(start, reached).leak();
        match T::parse_with(file, T::default_args()) {
            Ok(_) if good.len() < KEPT => good.push(file),
            Ok(_) => good[rng.below(KEPT)] = file,
            Err(error) => {
                let at = usize::try_from(error.finding().start).unwrap_or(0);
                if at >= reached && good.is_empty() {
                    (best, reached) = (file.to_vec(), at);
                }
            }
        }
    }
    good
}

/// The number of an absent field becomes 0 (`canonical`), where the condition of another one may ask for it.
fn is_told(error: &Error, report: &Report) -> bool {
    let absent = |text: &str| text.contains("of a field that is not there is not kept");
    laws::may_be_refused(error, report)
        || error.finding().code == "presence"
            && report.findings().iter().any(|finding| absent(finding.message.as_str()))
}

/// The laws on an input.
fn file<T>(bytes: &'static [u8]) -> Result<(), String>
where
    T: BinFormat<'static> + DefaultArgs<'static> + Debug + PartialEq,
{
    let args = T::default_args();
    let told = |law: String| format!("{law}\nin {} bytes: {bytes:02x?}", bytes.len());
    let report = T::validate_with(bytes, args);
    if let (true, Ok(value)) = (report.is_ok(), T::parse_with(bytes, args)) {
        match laws::written_is_read(&value, args).map_err(told)? {
            Err(error) if is_told(&error, &report) => return Ok(()),
            Err(error) => return Err(told(format!("not written again: {error}; {report}"))),
            Ok(_) => {}
        }
    }
    laws::hold::<T>(bytes, args).map_err(told)?;
    Ok(())
}

/// The laws on a value that nobody has read; whether it is written.
fn edited_value<T>(value: &T) -> Result<bool, String>
where
    T: BinFormat<'static> + DefaultArgs<'static> + Debug + PartialEq,
{
    let args = T::default_args();
    let written =
        laws::written_is_read(value, args).map_err(|law| format!("edited: {law}\n{value:?}"))?;
    let Ok(bytes) = written else { return Ok(false) };
    let settled = value.settle_with(Box::leak(Box::default()), args);
    let settled =
        settled.map_err(|error| format!("edited: `settle` refuses {error}\n{value:?}"))?;
    let again = settled.to_vec_with(args).ok();
    let read = T::parse_with(bytes, args).and_then(|read| read.to_vec_with(args)).ok();
    if again.as_deref() != Some(bytes) && again != read {
        return Err(format!("edited: settled as something else\n{settled:?}\nof {value:?}"));
    }
    Ok(true)
}
