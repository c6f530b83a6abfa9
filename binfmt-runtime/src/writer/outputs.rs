//! The outputs of a value: a slice, memory, anything, or only its length. What has to be found out before is in
//! `whole.rs`.

#[cfg(feature = "alloc")]
use super::locator::Locator;
use super::locator::full;
#[cfg(feature = "alloc")]
use super::passes::MAX_ROUNDS;
use super::whole::{Task, Whole};
use super::{Book, Writer};
use crate::finding::Error;
#[cfg(feature = "alloc")]
use crate::finding::Fault;
use crate::ops::wide;

/// How many bytes a value takes.
pub(crate) fn encoded_len(compact: bool, value: &dyn Whole) -> Result<u64, Error> {
    let mut book = Book::default();
    let task = Task::new(value, compact);
    let len = task.prepare(&mut book, false);
    // What a reader gives is not read for this: whether the value can be written, its writer finds out.
    #[cfg(feature = "std")]
    let len = if book.is_blind { task.measure_unread(&mut book) } else { len };
    let len = len?;
    #[cfg(feature = "alloc")]
    if book.sum_of_file.is_some() && book.aheads.is_unseen() {
        return Ok(wide(to_vec(compact, value)?.len()));
    }
    Ok(len)
}

/// Writes to the start of `slice`; how many bytes.
pub(crate) fn into_slice(
    slice: &mut [u8],
    compact: bool,
    value: &dyn Whole,
) -> Result<usize, Error> {
    let (task, mut book) = (Task::new(value, compact), Book::default());
    loop {
        book.begin(false);
        let fault = match task.run(Writer { book: Some(&mut book), ..Writer::new(slice) }) {
            Some(Ok(len)) => return Ok(usize::try_from(len).unwrap_or(usize::MAX)),
            Some(Err(fault)) if book.prepared => return Err(task.explain(&mut book, fault)),
            None if book.prepared => return Err(task.why_again(&mut book)),
            // What is guessed may be longer than the value is, and find the slice too short.
            Some(Err(fault)) => Some(fault),
            None => None,
        };
        // What a writer finds out that has the bytes is not what one finds out without them: all begin alike.
        book.start_over();
        let len = task.prepare(&mut book, false);
        #[cfg(feature = "std")]
        if book.is_blind {
            task.read_payloads(&mut book)?;
            continue;
        }
        let len = len?;
        if let Some(fault) = fault.filter(|_| len > wide(slice.len())) {
            return Err(full(fault));
        }
    }
}

/// A value as bytes.
#[cfg(feature = "alloc")]
pub(crate) fn to_vec(compact: bool, value: &dyn Whole) -> Result<alloc::vec::Vec<u8>, Error> {
    in_book(Task::new(value, compact), &mut Book::default())
}

/// A value as the bytes of a part of a file, behind what lies in front of it.
#[cfg(feature = "alloc")]
pub(crate) fn to_part(before: &[u8], value: &dyn Whole) -> Result<alloc::vec::Vec<u8>, Error> {
    let task = Task { part: Some(before), ..Task::new(value, false) };
    let mut all = in_book(task, &mut Book::default())?;
    Ok(all.split_off(before.len()))
}

/// The same for a value that is to be settled.
#[cfg(feature = "alloc")]
pub(super) fn to_settle(compact: bool, value: &dyn Whole) -> Result<alloc::vec::Vec<u8>, Error> {
    let mut book = Book::default();
    book.settles = true;
    in_book(Task::new(value, compact), &mut book)
}

/// What is written of a value, although its numbers may be old ones; `None` if that does not tell all of it.
#[cfg(feature = "alloc")]
pub(super) fn draft(
    compact: bool,
    value: &dyn Whole,
) -> Result<Option<super::draft::Draft>, Error> {
    let (task, mut book) = (Task::new(value, compact), Book::default());
    book.draft = true;
    let bytes = in_book(task, &mut book)?;
    let mut locator = Locator::default();
    for _ in 0..MAX_ROUNDS {
        book.begin(false);
        locator.begin();
        if let Some(written) = task.dry(&mut book, Some(&mut locator), true, false) {
            let Locator { trace, derived, is_traced, .. } = locator;
            let is_told = written.is_ok() && is_traced;
            return Ok(is_told.then_some(super::draft::Draft { bytes, trace, derived }));
        }
    }
    Ok(None)
}

/// The bytes of a value, and in the book what had to be found out for them.
#[cfg(feature = "alloc")]
fn in_book(task: Task<'_>, book: &mut Book) -> Result<alloc::vec::Vec<u8>, Error> {
    let mut memory = super::sink::Memory { stops: true, ..Default::default() };
    loop {
        book.begin(false);
        memory.bytes.clear();
        memory.bytes.extend_from_slice(task.before());
        let mut buffer = [0; 4 * super::BUFFER];
        let out =
            Writer { sink: Some(&mut memory), book: Some(&mut *book), ..Writer::new(&mut buffer) };
        match task.run(out) {
            Some(Ok(_)) => return Ok(memory.bytes),
            Some(Err(fault)) if !memory.stopped => return Err(task.explain(book, fault)),
            None if book.prepared && !memory.stopped => {
                return Err(task.why_again(book));
            }
            _ => {}
        }
        // All outputs begin alike: see `into_slice`.
        book.start_over();
        // A large output is measured, so that its memory is taken once.
        let large = memory.stopped;
        let len = if large { task.measure(book) } else { task.prepare(book, false) };
        #[cfg(feature = "std")]
        if book.is_blind {
            task.read_payloads(book)?;
            (memory.stops, memory.stopped) = (true, false);
            continue;
        }
        let len = len?;
        let len = usize::try_from(len).unwrap_or(usize::MAX);
        (memory.stops, memory.stopped) = (false, false);
        memory.bytes.clear();
        if memory.bytes.try_reserve_exact(len).is_err() {
            return Err(full(Fault::at(0)));
        }
    }
}

/// Writes to anything, strictly forward and without taking anything back.
#[cfg(feature = "std")]
pub(crate) fn to_io(
    out: &mut dyn std::io::Write,
    compact: bool,
    value: &dyn Whole,
) -> std::io::Result<()> {
    let (task, mut book) = (Task::new(value, compact), Book::default());
    let mut prepared = task.prepare(&mut book, true).map(drop);
    if prepared.is_ok() && !book.recorded && book.sum_of_file.is_none() {
        prepared = task.record(&mut book);
    }
    if book.sum_of_file.is_some() || book.is_blind {
        // All of it is covered, so none of it is known before; or bytes decide something that a reader gives.
        return out.write_all(&to_vec(compact, value)?);
    }
    prepared?;
    book.begin(true);
    let mut io = super::sink::Io { out, error: None };
    let mut buffer = [0; 8 * super::BUFFER];
    let out = Writer {
        sink: Some(&mut io),
        book: Some(&mut book),
        pass: super::Pass::Replays,
        ..Writer::new(&mut buffer)
    };
    match (task.run(out), io.error) {
        (Some(Ok(_)), _) => Ok(()),
        (_, Some(error)) => Err(error),
        (Some(Err(fault)), None) => Err(task.explain(&mut book, fault).into()),
        (None, None) => Err(task.why_again(&mut book).into()),
    }
}
