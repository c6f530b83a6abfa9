//! The examples, on files that other programs wrote: all laws, for damaged copies too.

use std::fmt::Debug;

use binfmt_runtime::BinFormat;

use crate::laws;

#[path = "../../examples/pak.rs"]
mod pak;
#[path = "../../examples/pcap.rs"]
mod pcap;
#[path = "../../examples/png.rs"]
mod png;
#[path = "../../examples/wav.rs"]
mod wav;
#[path = "../../examples/zip.rs"]
mod zip;

/// The file is written as it was, and the laws hold on every prefix and with any byte changed.
#[track_caller]
fn check<T>(file: &'static [u8])
where
    T: BinFormat<'static, Args = ()> + Debug + PartialEq,
{
    assert_eq!(T::parse_with(file, ()).unwrap().to_vec_with(()).as_deref(), Ok(file));
    laws::round_trip::<T>(file, ());
    for len in 0..=file.len() {
        laws::hold::<T>(&file[..len], ());
    }
    for at in 0..file.len() {
        for change in [0x01, 0x80, 0xff] {
            let mut copy = file.to_vec();
            copy[at] ^= change;
            laws::hold::<T>(copy.leak(), ());
        }
    }
}

#[test]
fn pictures_of_pillow() {
    png::main().unwrap();
    check::<png::Png<'_>>(png::FILE);
}

#[test]
fn sounds_of_libsndfile() {
    wav::main().unwrap();
    check::<wav::Wav<'_>>(wav::FILE);
}

#[test]
fn captures_of_tcpdump_and_scapy() {
    pcap::main().unwrap();
    check::<pcap::Capture<'_>>(pcap::LITTLE);
    check::<pcap::Capture<'_>>(pcap::BIG);
}

#[test]
fn archives_of_vgio() {
    pak::main().unwrap();
    check::<pak::Pak<'_>>(pak::FILE);
}

#[test]
fn archives_of_python() {
    zip::main().unwrap();
    check::<zip::Zip<'_>>(zip::FILE);
}
