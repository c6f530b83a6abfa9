//! The examples, on files that other programs wrote: all laws, for damaged copies too.

use std::fmt::Debug;

use binfmt_runtime::{BinFormat, Node, laws as every_law};

use crate::laws;

#[path = "../../examples/gzip.rs"]
#[expect(dead_code, reason = "an example is a program of its own")]
mod gzip;
#[path = "../../examples/macho.rs"]
#[expect(dead_code, reason = "an example is a program of its own")]
mod macho;
#[path = "../../examples/midi.rs"]
#[expect(dead_code, reason = "an example is a program of its own")]
mod midi;
#[path = "../../examples/pak.rs"]
#[expect(dead_code, reason = "an example is a program of its own")]
mod pak;
#[path = "../../examples/pcap.rs"]
#[expect(dead_code, reason = "an example is a program of its own")]
mod pcap;
#[path = "../../examples/png.rs"]
#[expect(dead_code, reason = "an example is a program of its own")]
mod png;
#[path = "../../examples/sqlite.rs"]
#[expect(dead_code, reason = "an example is a program of its own")]
mod sqlite;
#[path = "../../examples/tar.rs"]
#[expect(dead_code, reason = "an example is a program of its own")]
mod tar;
#[path = "../../examples/truetype.rs"]
#[expect(dead_code, reason = "an example is a program of its own")]
mod truetype;
#[path = "../../examples/wav.rs"]
#[expect(dead_code, reason = "an example is a program of its own")]
mod wav;
#[path = "../../examples/zip.rs"]
#[expect(dead_code, reason = "an example is a program of its own")]
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
    png::show().unwrap();
    check::<png::Png<'_>>(png::FILE);
}

#[test]
fn files_of_gzip() {
    gzip::show().unwrap();
    check::<gzip::Gzip>(gzip::FILE);
}

#[test]
fn sounds_of_libsndfile() {
    wav::show().unwrap();
    check::<wav::Wav<'_>>(wav::FILE);
    check::<wav::Wav<'_>>(wav::UNPADDED);
}

#[test]
fn captures_of_tcpdump_and_scapy() {
    pcap::show().unwrap();
    check::<pcap::Capture<'_>>(pcap::LITTLE);
    check::<pcap::Capture<'_>>(pcap::BIG);
}

#[test]
fn archives_of_vgio() {
    pak::show().unwrap();
    check::<pak::Pak<'_>>(pak::FILE);
}

#[test]
fn archives_of_python() {
    zip::show().unwrap();
    check::<zip::Zip<'_>>(zip::FILE);
    check::<zip::Zip<'_>>(zip::COMMENTED);
}

#[test]
fn tunes_of_mido() {
    midi::show().unwrap();
    check::<midi::Midi>(midi::FILE);
}

#[test]
fn libraries_of_zig() {
    macho::show().unwrap();
    check_some::<macho::File<'_>>(macho::FILE);
}

#[test]
fn archives_of_tar() {
    tar::show().unwrap();
    check_some::<tar::Tar>(tar::FILE);
}

#[test]
fn fonts_of_fonttools() {
    truetype::show().unwrap();
    check_some::<truetype::Font<'_>>(truetype::FILE);
}

#[test]
fn databases_of_python() {
    sqlite::show().unwrap();
    check_some::<sqlite::Database>(sqlite::FILE);
    check::<sqlite::Database>(sqlite::DELETED);
}

/// The same as `check`, for a large file that is mostly zeros: every 97th byte of it is changed.
#[track_caller]
fn check_some<T>(file: &'static [u8])
where
    T: BinFormat<'static, Args = ()> + Debug + PartialEq,
{
    laws::round_trip::<T>(file, ());
    for at in (0..file.len()).step_by(97) {
        laws::hold::<T>(&file[..at], ());
        for change in [0x01, 0x80] {
            let mut copy = file.to_vec();
            copy[at] ^= change;
            laws::hold::<T>(copy.leak(), ());
        }
    }
}

/// What authors of declarations write of theirs: all laws, on copies damaged where the fields are. That this
/// takes seconds, not minutes, is due to its budget.
#[test]
fn laws_hold_on_every_example() {
    every_law!(gzip::Gzip, [gzip::FILE]);
    every_law!(macho::File<'_>, [macho::FILE]);
    every_law!(midi::Midi, [midi::FILE]);
    every_law!(pak::Pak<'_>, [pak::FILE]);
    every_law!(pcap::Capture<'_>, [pcap::LITTLE, pcap::BIG]);
    every_law!(png::Png<'_>, [png::FILE]);
    every_law!(sqlite::Database, [sqlite::FILE, sqlite::DELETED]);
    every_law!(tar::Tar, [tar::FILE]);
    every_law!(truetype::Font<'_>, [truetype::FILE]);
    every_law!(wav::Wav<'_>, [wav::FILE, wav::UNPADDED]);
    every_law!(zip::Zip<'_>, [zip::FILE, zip::COMMENTED]);
}

/// Where the parts with a name lie.
fn parts(node: &Node, name: &str, found: &mut Vec<std::ops::Range<usize>>) {
    if node.name == name {
        let place = |offset: u64| usize::try_from(offset).unwrap();
        found.push(place(node.start)..place(node.end));
    }
    node.children.iter().for_each(|child| parts(child, name, found));
}

/// What a file of an archive holds has the checksum that its header says, and the directory says the same.
#[test]
fn any_other_byte_of_a_packed_file_is_an_error() {
    for file in [zip::FILE, zip::COMMENTED] {
        let tree = zip::Zip::inspect(file);
        let mut ranges = Vec::new();
        for name in ["stored", "deflated", "of_stored", "of_deflated", "crc"] {
            parts(&tree.root, name, &mut ranges);
        }
        let ranges: Vec<_> = ranges.into_iter().filter(|range| !range.is_empty()).collect();
        assert_eq!(ranges.len(), 6, "{ranges:?}");
        for at in ranges.into_iter().flatten() {
            let mut copy = file.to_vec();
            copy[at] ^= 0xff;
            assert!(!zip::Zip::validate(&copy).is_ok(), "{at:#x}");
        }
    }
}

/// Copies that have grown are as good as the files; `tests/reference/examples` says where to write
/// them, and has other programs open them.
#[test]
fn grown_copies_hold_the_laws() {
    let mut tune = midi::Midi::parse(midi::FILE).unwrap();
    for event in tune.tracks.iter_mut().flat_map(|track| &mut track.events) {
        if let midi::Message::Meta(midi::Meta { kind: 3, data }) = &mut event.message {
            *data = b"A name that is longer".repeat(9);
        }
    }
    let mut tar = tar::Tar::parse(tar::FILE).unwrap();
    for file in tar.files.iter_mut().filter(|file| file.is_file() == Some(true)) {
        file.data.resize(700, b'!');
    }
    let zip = zip::Zip { comment: b"another comment", ..zip::Zip::parse(zip::COMMENTED).unwrap() };
    let picture = png::Png::parse(png::FILE).unwrap();
    let gzip = gzip::grown(gzip::Gzip::parse(gzip::FILE).unwrap()).unwrap();
    let macho::File::Thin(thin) = macho::File::parse(macho::FILE).unwrap() else { panic!() };
    let database = sqlite::Database::parse(sqlite::FILE).unwrap();
    let deleted = sqlite::Database::parse(sqlite::DELETED).unwrap();
    grown::<gzip::Gzip>("gnu.gz", gzip);
    grown::<png::Png<'_>>("pillow.png", png::grown(&picture).unwrap());
    grown::<midi::Midi>("mido.mid", tune.to_vec().unwrap());
    grown::<sqlite::Database>("python.sqlite", sqlite::grown(&database).unwrap());
    grown::<sqlite::Database>("python-deleted.sqlite", sqlite::grown(&deleted).unwrap());
    grown::<wav::Wav<'_>>("python.wav", wav::grown(&[0x81; 17], None).unwrap());
    grown::<tar::Tar>("gnu.tar", tar.to_vec().unwrap());
    grown::<zip::Zip<'_>>("python.zip", zip.to_vec().unwrap());
    let zip = zip::Zip::parse(zip::COMMENTED).unwrap();
    let text = b"a text that is longer than the one that was here";
    let zip = zip::grown(&zip, &zip::Change::Put(0, text));
    grown::<zip::Zip<'_>>("longer.zip", zip.to_vec().unwrap());
    let zip = zip::grown(&zip, &zip::Change::Add(b"new.txt", b"one more file"));
    grown::<zip::Zip<'_>>("more.zip", zip.to_vec().unwrap());
    let zip = zip::grown(&zip, &zip::Change::Remove(1));
    grown::<zip::Zip<'_>>("fewer.zip", zip.to_vec().unwrap());
    grown::<zip::Zip<'_>>("fewer-compact.zip", zip.compact().to_vec().unwrap());
    let empty = zip::Zip { files: vec![], dir: vec![], comment: b"", ..zip };
    grown::<zip::Zip<'_>>("empty.zip", empty.compact().to_vec().unwrap());
    let font = truetype::Font::parse(truetype::FILE).unwrap();
    grown::<truetype::Font<'_>>("fonttools.ttf", truetype::grown(font).unwrap());
    let thin = macho::grown(&thin).unwrap();
    grown::<macho::File<'_>>("zig.dylib", thin.to_vec().unwrap());
}

#[track_caller]
fn grown<T>(name: &str, file: Vec<u8>)
where
    T: BinFormat<'static, Args = ()> + Debug + PartialEq,
{
    if let Some(folder) = std::env::var_os("BINFMT_GROWN") {
        std::fs::write(std::path::Path::new(&folder).join(name), &file).unwrap();
    }
    laws::round_trip::<T>(file.leak(), ());
}

/// Every example is a program for its format when it gets arguments.
#[test]
fn examples_are_programs() {
    let formats = [
        (binfmt_tool::format::<png::Png<'_>>("png"), "pillow.png"),
        (binfmt_tool::format::<gzip::Gzip>("gzip"), "gnu.gz"),
        (binfmt_tool::format::<wav::Wav<'_>>("wav"), "libsndfile.wav"),
        (binfmt_tool::format::<wav::Wav<'_>>("wav"), "python.wav"),
        (binfmt_tool::format::<tar::Tar>("tar"), "gnu.tar"),
        (binfmt_tool::format::<midi::Midi>("midi"), "mido.mid"),
        (binfmt_tool::format::<macho::File<'_>>("macho"), "zig.dylib"),
        (binfmt_tool::format::<sqlite::Database>("sqlite"), "python.sqlite"),
        (binfmt_tool::format::<sqlite::Database>("sqlite"), "python-deleted.sqlite"),
        (binfmt_tool::format::<truetype::Font<'_>>("truetype"), "fonttools.ttf"),
        (binfmt_tool::format::<zip::Zip<'_>>("zip"), "python.zip"),
        (binfmt_tool::format::<zip::Zip<'_>>("zip"), "python-comment.zip"),
        (binfmt_tool::format::<pak::Pak<'_>>("pak"), "vgio.pak"),
        (binfmt_tool::format::<pcap::Capture<'_>>("pcap"), "tcpdump.pcap"),
    ];
    let files = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/files");
    for (format, file) in formats {
        let program = binfmt_tool::Program::new(&[format]);
        for words in [&["validate"][..], &["inspect", "--depth", "1"], &["rewrite", "--check"]] {
            let file = format!("{files}/{file}");
            let args = ["example"].iter().chain(words).copied().chain([file.as_str()]);
            let code = program.run(args);
            let expected = format!("{:?}", std::process::ExitCode::SUCCESS);
            assert_eq!(format!("{code:?}"), expected, "{words:?} {file}");
        }
    }
}
