//! All laws on one declaration after the other.

use std::fmt::Debug;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use binfmt_runtime::{BinFormat, DefaultArgs, laws};
use cpu_time::ThreadTime;

use crate::large;
use crate::rng::Rng;
use crate::updates::More;
use crate::values::{Make, was_seen};

/// How much is tried with each declaration.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How many values.
    pub values: u64,
    /// How many damaged copies of each file.
    pub damaged: u64,
    /// Whether large values and files are tried for what they cost, and nothing else.
    pub large: bool,
}

/// What a batch did.
#[derive(Debug)]
pub struct Run {
    effort: Effort,
    /// The last declaration that is left out.
    after: Option<String>,
    /// Names and broken laws.
    pub broken: Vec<(&'static str, String)>,
    /// Values that were written, and that were refused.
    pub written: u64,
    /// See `written`.
    pub refused: u64,
    loud: bool,
}

/// An input of a few bytes takes no more processor time than this, which other work on the machine does not change.
const SLOW: Duration = Duration::from_secs(3);

/// Memory that a walk may take: a finding has a path, and many can be about one byte.
fn bound(len: usize) -> u64 {
    (1 << 20) + 4096 * len as u64
}

impl Run {
    /// A run inside a test.
    pub fn new(effort: Effort) -> Self {
        Self { effort, after: None, broken: Vec::new(), written: 0, refused: 0, loud: false }
    }

    /// A run of a batch's own program, which says what it does: arguments are the number of values,
    /// that of damaged copies, which may be `large` in place of both, and, as `after:NAME`, the last
    /// declaration to leave out.
    pub fn of_args() -> Self {
        let args: Vec<String> = std::env::args().skip(1).collect();
        let mut numbers = args.iter().filter_map(|arg| arg.parse().ok());
        let mut number = || numbers.next().unwrap_or(40);
        let large = args.iter().any(|arg| arg == "large");
        let effort = Effort { values: number(), damaged: number(), large };
        std::panic::set_hook(Box::new(|panic| {
            eprintln!("{}", panic.to_string().replace('\n', " "));
        }));
        let after = args.iter().find_map(|arg| arg.strip_prefix("after:").map(str::to_owned));
        Self { after, loud: true, ..Self::new(effort) }
    }

    /// Checks all laws on one declaration, and more.
    pub fn case<T>(
        &mut self,
        name: &'static str,
        seed: u64,
        make: fn(&mut Make) -> T,
        more: More<T>,
    ) where
        T: BinFormat<'static> + DefaultArgs<'static> + Debug + PartialEq,
    {
        if let Some(last) = self.after.take() {
            self.after = Some(last).filter(|last| last != name);
            return;
        }
        self.say(format_args!("begin {name}"));
        let mut case = Case { seed, effort: self.effort, make, written: 0, refused: 0 };
        let result = catch_unwind(AssertUnwindSafe(|| match self.effort.large {
            true => large::check(seed, make).map(|files| case.written = files),
            false => case.check().and_then(|()| more(seed, make, T::default_args())),
        }));
        let result = result.unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).into()));
            Err(format!("a panic: {}", text.unwrap_or_default()))
        });
        self.written += case.written;
        self.refused += case.refused;
        match result {
            Ok(()) => self.say(format_args!("end {name} {} {}", case.written, case.refused)),
            Err(law) => {
                let line = law.replace('\\', "\\\\").replace('\n', "\\n");
                self.say(format_args!("broken {name} {line}"));
                self.broken.push((name, law));
            }
        }
    }

    fn say(&self, line: std::fmt::Arguments<'_>) {
        if self.loud {
            let mut out = std::io::stdout().lock();
            let _ = writeln!(out, "{line}");
            let _ = out.flush();
        }
    }
}

/// Why a writer refuses a number that a function may see and that is not the one to write.
const REFUSED: &str = "an expression around the value uses this number";

struct Case<T> {
    seed: u64,
    effort: Effort,
    make: fn(&mut Make) -> T,
    written: u64,
    refused: u64,
}

impl<T> Case<T>
where
    T: BinFormat<'static> + DefaultArgs<'static> + Debug + PartialEq,
{
    fn check(&mut self) -> Result<(), String> {
        let mut files = Vec::new();
        // Half as many more in which all is small.
        for number in 0..self.effort.values + self.effort.values / 2 {
            let alike = number >= self.effort.values;
            files.extend(self.value(self.seed.wrapping_add(number * 77), alike)?);
        }
        files.sort_by_key(|file| (file.len(), *file));
        files.dedup();
        let mut rng = Rng::new(self.seed);
        let layout = T::WIRE;
        for len in [0, 1, 2, 3, 5, 8, 13, 21, 40] {
            for byte in [0, 1, 0xff] {
                let mut junk = layout.magic.to_vec();
                junk.resize(junk.len() + len, byte);
                self.file(junk)?;
            }
        }
        let step = files.len().div_ceil(12).max(1);
        for file in files.iter().step_by(step) {
            self.file(file.to_vec())?;
            for _ in 0..self.effort.damaged {
                self.file(damaged(&mut rng, file, &files))?;
            }
        }
        Ok(())
    }

    /// Writes one value, with what belongs into computed fields and with nonsense there.
    fn value(&mut self, seed: u64, alike: bool) -> Result<Option<&'static [u8]>, String> {
        let start = ThreadTime::now();
        let make = |nonsense| {
            let make = Make::new(seed, nonsense);
            if alike { make.alike() } else { make }
        };
        let mut maker = make(None);
        let value = (self.make)(&mut maker);
        let args = T::default_args();
        let written = laws::written_is_read(&value, args)?;
        if maker.payloads > 0 {
            self.unread(&|| make(None).unread(), written.as_deref().ok())?;
        }
        let nonsense = (self.make)(&mut make(Some(seed)));
        // A function that sees all of an item, which decides where that lies, has several answers.
        was_seen();
        let same = laws::same_output(&value, &nonsense, args);
        let settled = nonsense.settle_with(Box::leak(Box::default()), args);
        let seen = was_seen();
        if let (Ok(bytes), Ok(settled), false) = (&written, &settled, seen)
            && let again = settled.to_vec_with(args).ok()
            && again.as_deref() != Some(*bytes)
            // The law of written values lets some be shorter the second time.
            && T::parse_with(bytes, args).and_then(|read| read.to_vec_with(args)).ok() != again
        {
            return Err(format!(
                "settled as something else: {settled:?}\nof {nonsense:?}\nand {value:?}"
            ));
        }
        if let Err(law) = same
            && !seen
            && !law.contains(REFUSED)
        {
            return Err(law);
        }
        if start.elapsed() > SLOW {
            return Err(format!("slow: {:?} for {value:?}", start.elapsed()));
        }
        match written {
            Ok(bytes) => {
                self.written += 1;
                Ok(Some(bytes))
            }
            Err(_) => {
                self.refused += 1;
                Ok(None)
            }
        }
    }

    /// Payloads that are read while they are written make the same file, by every output.
    fn unread(&self, make: &dyn Fn() -> Make, expected: Option<&[u8]>) -> Result<(), String> {
        let value = || (self.make)(&mut make());
        let args = T::default_args();
        let mut stream = Vec::new();
        let streamed = value().write_to_with(&mut stream, args);
        let mut slice = vec![0; expected.map_or(1 << 16, <[u8]>::len)];
        let len = value().write_into_with(&mut slice, args);
        let outputs = [
            ("to_vec", value().to_vec_with(args).map_err(|error| error.to_string())),
            ("write_to", streamed.map(|()| stream).map_err(|error| error.to_string())),
            ("write_into", len.map(|len| slice[..len].to_vec()).map_err(|error| error.to_string())),
        ];
        for (output, bytes) in outputs {
            if bytes.as_deref().ok() != expected {
                return Err(format!(
                    "unread: {output} makes {bytes:02x?}\nnot {expected:02x?}\nof {:?}",
                    value()
                ));
            }
        }
        Ok(())
    }

    /// Reads an input of any kind.
    fn file(&self, bytes: Vec<u8>) -> Result<(), String> {
        let bytes: &'static [u8] = bytes.leak();
        let start = ThreadTime::now();
        let args = T::default_args();
        let told = |law: String| format!("{law}\nin {} bytes: {bytes:02x?}", bytes.len());
        let report = laws::hold::<T>(bytes, args).map_err(told)?;
        let memory = allocation_counter::measure(|| drop(T::validate_with(bytes, args)));
        if memory.bytes_max > bound(bytes.len()) {
            let taken = memory.bytes_max;
            return Err(told(format!("memory: a validator takes {taken} bytes")));
        }
        if report.is_ok()
            && let Ok(value) = T::parse_with(bytes, args)
            && let Err(error) = laws::written_is_read(&value, args).map_err(told)?
            && !laws::may_be_refused(&error, &report)
        {
            return Err(told(format!("what was read cannot be written: {error}")));
        }
        if start.elapsed() > SLOW {
            return Err(told(format!("slow: {:?}", start.elapsed())));
        }
        Ok(())
    }
}

/// A damaged copy of a file.
fn damaged(rng: &mut Rng, file: &[u8], others: &[&[u8]]) -> Vec<u8> {
    let mut copy = file.to_vec();
    for _ in 0..=rng.below(3) {
        if copy.is_empty() {
            copy.push(rng.any() as u8);
            continue;
        }
        let at = rng.index(copy.len());
        match rng.below(9) {
            0 => copy[at] ^= 1 << rng.below(8),
            1 => copy[at] = *rng.pick(&[0, 1, 2, 0x7f, 0x80, 0xff, b'A', b'\n']),
            2 => copy[at] = copy[at].wrapping_add(*rng.pick(&[1, 0xff, 4, 0xfc])),
            3 => copy.truncate(at),
            4 => {
                let other = *rng.pick(others);
                copy.truncate(at);
                copy.extend(other.get(rng.index(other.len() + 1)..).unwrap_or_default());
            }
            5 => {
                let more = rng.below(9);
                copy.extend((0..more).map(|_| rng.any() as u8));
            }
            6 => copy.insert(at, rng.any() as u8),
            7 => drop(copy.remove(at)),
            _ => {
                let to = rng.index(copy.len());
                copy[at] = copy[to];
            }
        }
    }
    copy
}
