//! Standard MIDI files: numbers of variable length, and messages that leave out their status where it is
//! that of the one before.
//!
//! The file was written by mido 1.3.

use binfmt_runtime::encodings::Vlq;
use binfmt_runtime::{Auto, BinFormat, Coded};

/// A file: its header, and a chunk for each track.
#[derive(BinFormat, Debug, Clone, PartialEq)]
pub(crate) struct Midi {
    #[bin(set(tracks = count(tracks)))]
    pub(crate) header: Header,
    #[bin(count = header.tracks)]
    pub(crate) tracks: Vec<Track>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, magic = b"MThd\0\0\0\x06")]
pub(crate) struct Header {
    /// 0: one track; 1: tracks at the same time; 2: one behind the other.
    #[bin(range = 0..=2)]
    pub(crate) format: u16,
    pub(crate) tracks: u16,
    /// Ticks in a quarter note.
    pub(crate) division: u16,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, magic = b"MTrk")]
pub(crate) struct Track {
    pub(crate) len: Auto<u32>,
    #[bin(len = len, args(running = previous.status() or 0))]
    pub(crate) events: Vec<Event>,
}

/// An event; a message may leave out its status where it is that of the one before.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(args(running: u8), computed(status: u8 = if tag(message) < 0xf0 { tag(message) } else { 0 },
    "what the next message may leave out; others than messages to a channel leave nothing"))]
pub(crate) struct Event {
    /// Ticks since the event before.
    pub(crate) delta: Coded<Vlq<4>, u32>,
    /// The status, or the first byte of a message without one.
    pub(crate) head: u8,
    #[bin(args(head, status = if head > 127 { head } else { running }))]
    pub(crate) message: Message,
}

/// What an event says, by its status.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(args(head: u8, status: u8), tag = status)]
pub(crate) enum Message {
    /// Two numbers: notes, pressure on one, controllers, pitch.
    #[bin(id = 0x80..=0xbf | 0xe0..=0xef, args(head))]
    Two(u8, Two),
    /// One number: program, pressure on all.
    #[bin(id = 0xc0..=0xdf, args(head))]
    One(u8, One),
    #[bin(id = 0xf0 | 0xf7)]
    System(u8, Bytes),
    #[bin(id = 0xff)]
    Meta(Meta),
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(args(head: u8))]
pub(crate) struct Two {
    /// The first number, if `head` is the status.
    #[bin(if = head > 127)]
    pub(crate) first: Option<u8>,
    pub(crate) second: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(args(head: u8))]
pub(crate) struct One {
    #[bin(if = head > 127)]
    pub(crate) only: Option<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
pub(crate) struct Bytes {
    #[bin(prefix = Coded<Vlq<4>, u32>)]
    pub(crate) data: Vec<u8>,
}

/// What is no message to an instrument: names, tempo, the end of a track.
#[derive(BinFormat, Debug, Clone, PartialEq)]
pub(crate) struct Meta {
    pub(crate) kind: u8,
    #[bin(prefix = Coded<Vlq<4>, u32>)]
    pub(crate) data: Vec<u8>,
}

pub(crate) const FILE: &[u8] = include_bytes!("files/mido.mid");

fn main() -> std::process::ExitCode {
    binfmt_tool::main_or(&[binfmt_tool::format::<Midi>("midi")], show)
}

pub(crate) fn show() -> Result<(), Box<dyn std::error::Error>> {
    assert!(Midi::validate(FILE).findings().is_empty(), "{}", Midi::validate(FILE));
    let mut file = Midi::parse(FILE)?;
    assert_eq!(file.to_vec()?, FILE);
    for event in file.tracks.iter_mut().flat_map(|track| &mut track.events) {
        // A longer name: its length and that of the track follow.
        if let Message::Meta(Meta { kind: 3, data }) = &mut event.message {
            println!("{}", String::from_utf8_lossy(data));
            data.resize(200, b'.');
        }
    }
    let grown = file.to_vec()?;
    assert!(Midi::validate(&grown).findings().is_empty(), "{}", Midi::validate(&grown));
    assert_eq!(Midi::parse(&grown)?, file);
    // A message without a status cannot be the first one.
    let last = file.tracks.last_mut().ok_or("there is no track")?;
    last.events.remove(0);
    last.events.remove(0);
    assert!(file.to_vec().is_err());
    Ok(())
}
