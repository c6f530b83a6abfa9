//! Captures of network packets (pcap): the first number tells the byte order of all others.
//!
//! The files were written by tcpdump, and by Scapy, in the other byte order.

use binfmt_runtime::{Auto, BinFormat, Seq};

/// Time in microseconds.
const MICROS: u32 = 0xa1b2_c3d4;
/// Time in nanoseconds.
const NANOS: u32 = 0xa1b2_3c4d;

/// A capture: a header, then packets up to the end of the file.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(endian = magic, magic = [0xa1b2_c3d4u32, 0xa1b2_3c4du32], spec = "draft-ietf-opsawg-pcap, 4")]
pub(crate) struct Capture<'a> {
    /// Which magic, and so which unit of time.
    #[bin(magic)]
    pub(crate) magic: [u8; 4],
    #[bin(one_of = [2])]
    pub(crate) major: u16,
    pub(crate) minor: u16,
    /// Seconds to be added to all times; 0 in practice.
    #[bin(warn(zone == 0, "times are {zone} seconds off"))]
    pub(crate) zone: i32,
    pub(crate) accuracy: u32,
    /// No more bytes are kept of any packet.
    #[bin(check(limit > 0, "nothing can be kept of a packet"))]
    pub(crate) limit: u32,
    /// What the packets begin with: 1 for Ethernet. The highest bits tell of a frame check.
    pub(crate) link: u32,
    #[bin(until_end, args(limit, magic))]
    pub(crate) packets: Seq<'a, Packet<'a>>,
}

/// One packet, as far as it was kept.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(endian = inherit, args(limit: u32, magic: [u8; 4]), spec = "draft-ietf-opsawg-pcap, 5")]
pub(crate) struct Packet<'a> {
    pub(crate) seconds: u32,
    /// Microseconds or nanoseconds.
    #[bin(error(fraction < unit(magic), "{fraction} is a second or more"))]
    pub(crate) fraction: u32,
    kept: Auto<u32>,
    /// How long the packet was.
    #[bin(error(kept <= full, "more bytes are kept than there were"))]
    pub(crate) full: u32,
    #[bin(len = kept, error(len(data) <= limit, "more bytes are kept than the capture says"))]
    pub(crate) data: &'a [u8],
}

/// How many units of time a second has.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "expressions pass arrays by reference")]
fn unit(magic: &[u8; 4]) -> u32 {
    let nanos = [NANOS.to_le_bytes(), NANOS.to_be_bytes()].contains(magic);
    if nanos { 1_000_000_000 } else { 1_000_000 }
}

pub(crate) const LITTLE: &[u8] = include_bytes!("files/tcpdump.pcap");
pub(crate) const BIG: &[u8] = include_bytes!("files/scapy.pcap");

fn main() -> std::process::ExitCode {
    binfmt_tool::main_or(&[binfmt_tool::format::<Capture<'_>>("pcap")], show)
}

pub(crate) fn show() -> Result<(), Box<dyn std::error::Error>> {
    for (file, magic) in [(LITTLE, MICROS.to_le_bytes()), (BIG, NANOS.to_be_bytes())] {
        assert!(Capture::validate(file).findings().is_empty());
        let capture = Capture::parse(file)?;
        assert_eq!((capture.magic, capture.link), (magic, 1));
        assert_eq!(capture.to_vec()?, file);
        for packet in &capture.packets {
            let packet = packet?;
            println!("{}.{} {} bytes", packet.seconds, packet.fraction, packet.data.len());
        }
    }

    // Without the first packet, in the byte order that the capture has.
    let capture = Capture::parse(BIG)?;
    let packets = capture.packets.iter().skip(1).collect::<Result<Vec<_>, _>>()?;
    let written = Capture { packets: Seq::from(&packets[..]), ..capture.clone() }.to_vec()?;
    assert!(Capture::validate(&written).findings().is_empty());
    assert_eq!(written.len(), BIG.len() - 58);

    // A second has 1,000,000 microseconds at most.
    let mut damaged = LITTLE.to_vec();
    damaged[31] = 0xff;
    println!("{}", Capture::validate(&damaged));
    assert_eq!(Capture::validate(&damaged).findings()[0].code, "Packet.fraction");
    Ok(())
}
