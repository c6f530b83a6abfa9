//! Static libraries.

use std::fs;
use std::process::Command;

use binfmt_formats::fatbin::{Entry, Kind};
use binfmt_formats::slim::{self, Mode, Note, Options, Ptx};
use object::read::archive::ArchiveFile;

use super::made::{self, Build, container, entry};
use super::{options, slimmed};

/// An archive of files, made by `ar`.
fn archive(members: &[(&str, &[u8])], flags: &str) -> Vec<u8> {
    let dir = tempfile::tempdir().unwrap();
    for (name, bytes) in members {
        fs::write(dir.path().join(name), bytes).unwrap();
    }
    let names = members.iter().map(|(name, _)| *name);
    let mut command = Command::new("ar");
    let output =
        command.current_dir(dir.path()).arg(flags).arg("out.a").args(names).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    fs::read(dir.path().join("out.a")).unwrap()
}

fn host() -> Vec<u8> {
    made::object_of("int nothing_here(void) { return 3; }")
}

/// The names of the members and their bytes.
fn members(file: &[u8]) -> Vec<(String, Vec<u8>)> {
    let archive = ArchiveFile::parse(file).unwrap();
    let one = |member: object::Result<object::read::archive::ArchiveMember<'_>>| {
        let member = member.unwrap();
        let name = String::from_utf8(member.name().to_vec()).unwrap();
        (name, member.data(file).unwrap().to_vec())
    };
    archive.members().map(one).collect()
}

/// Each symbol with the name of the member that has it.
fn symbols(file: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let archive = ArchiveFile::parse(file).unwrap();
    let symbols = archive.symbols().unwrap().unwrap();
    let of = |symbol: object::read::archive::ArchiveSymbol<'_>| {
        let member = archive.member(symbol.offset()).unwrap();
        (symbol.name().to_vec(), member.name().to_vec())
    };
    symbols.map(|symbol| of(symbol.unwrap())).collect()
}

#[test]
fn static_libraries_link_after_they_were_slimmed() {
    let (object, host) = (Build::default().object().unwrap(), host());
    let all: [(&str, &[u8]); 5] = [
        ("before.o", &host),
        ("a_member_with_a_long_name.o", &object),
        ("odd.txt", b"odd"),
        ("between.o", &host),
        ("last.o", &object),
    ];
    let file = archive(&all, "rcS");
    let named = archive(&all, "rcs");
    for (what, file) in [("without symbols", file), ("with symbols", named)] {
        let (plan, new) = slimmed(&file, &options(&[90]));
        assert!(plan.changes && new.len() + 400_000 < file.len(), "{what}");
        let (old_members, new_members) = (members(&file), members(&new));
        let (_, small) = slimmed(&object, &options(&[90]));
        for ((old_name, old), (name, bytes)) in old_members.iter().zip(&new_members) {
            assert_eq!(old_name, name);
            assert_eq!(bytes, if *old == object { &small } else { old }, "{what} {name}");
        }
        assert_eq!(new_members.len(), 5);
        let sections: Vec<_> =
            plan.containers.iter().map(|it| it.member.as_deref().unwrap()).collect();
        let long = "a_member_with_a_long_name.o";
        assert_eq!(sections, [long, long, long, "last.o", "last.o", "last.o"]);
        assert!(plan.containers.windows(2).all(|two| two[0].range.end <= two[1].range.start));
        // What is found once more stays as it is.
        assert!(!slimmed(&new, &options(&[90])).0.changes);
        let zeroed = slimmed(&file, &Options { mode: Mode::Zero, ..options(&[90]) }).1;
        assert_eq!(zeroed.len(), file.len());
    }
    let named = archive(&[("before.o", &host), ("one.o", &object)], "rcs");
    let (_, new) = slimmed(&named, &options(&[90]));
    assert_eq!(symbols(&new), symbols(&named));
    assert!(symbols(&new).contains(&(b"answer".to_vec(), b"one.o".to_vec())));
    let library = made::linked_with(&["-Wl,--whole-archive"], "libone.a", &new).unwrap();
    assert_eq!(made::loaded(&library), "answer 47, 3 containers of 1 entries\n");
}

#[test]
fn members_of_odd_length_are_padded() {
    let odd = |arch| Entry::plain(Kind::Elf, arch, vec![7; 1001].leak());
    let bytes = container(&[odd(80), odd(90)]);
    for len in [bytes.len(), bytes.len() + 1] {
        let mut bytes = bytes.clone();
        bytes.resize(len, 0);
        let file = archive(&[("a.fatbin", &bytes), ("b.txt", b"behind")], "rcS");
        let (_, new) = slimmed(&file, &options(&[90]));
        assert_eq!(members(&new)[1].1, b"behind");
        assert!(members(&new)[0].1.len() < bytes.len());
    }
}

#[test]
fn what_is_refused_in_an_archive_stays_and_is_told() {
    let object = Build::default().small().object().unwrap();
    let mut junk = Build::default().small().object().unwrap();
    let at = junk.windows(4).position(|it| it == [0x50, 0xED, 0x55, 0xBA]).unwrap();
    junk[at + 6] = 9;
    let file = archive(&[("good.o", &object), ("junk.o", &junk)], "rcs");
    let (plan, new) = slimmed(&file, &options(&[90]));
    assert_eq!(members(&new)[1].1, junk);
    let [Note::Left(refusal)] = &plan.notes[..] else { panic!("{:?}", plan.notes) };
    assert!(refusal.path.starts_with("junk.o:"), "{refusal}");
    // Where that is all, the archive is refused; so it is where a device would lose its code.
    let file = archive(&[("junk.o", &junk)], "rcs");
    assert!(slim::plan(&file, &options(&[90])).unwrap_err().path.starts_with("junk.o:"));
    let only = container(&[Entry::plain(Kind::Ptx, 80, &[b' '; 64]), entry(75, 1000)]);
    let file = archive(&[("good.o", &object), ("only.fatbin", &only)], "rcS");
    let none = Options { ptx: Ptx::None, ..options(&[75, 90]) };
    let refusal = slim::plan(&file, &none).unwrap_err();
    assert_eq!(refusal.rule.code, "slim.container.device");
    assert_eq!(refusal.path, "only.fatbin:file:container");
    let file = archive(&[("host.o", &host())], "rcs");
    let refusal = slim::plan(&file, &options(&[90])).unwrap_err();
    assert_eq!(refusal.rule.code, "slim.file.device-code");
}

#[test]
fn damaged_archives_are_refused_or_done_right() {
    let object = Build::default().small().object().unwrap();
    let file = archive(&[("one.o", &object), ("two.o", &object)], "rcs");
    let second = file.len() - object.len() - 60;
    let places = (0..200).chain(second..second + 60);
    let (mut refused, mut done) = (0, 0);
    for at in places {
        for flip in [0xFF, 1, 0x10] {
            let mut file = file.clone();
            file[at] ^= flip;
            match slim::plan(&file, &options(&[90])) {
                Err(_) => refused += 1,
                Ok(plan) => {
                    let mut new = Vec::new();
                    plan.write(&file, &mut new).unwrap();
                    assert_eq!(slim::check(&file, &new, &plan), Ok(()), "{at:#x}");
                    done += 1;
                }
            }
        }
    }
    assert!(refused > 100 && done > 100, "{refused} {done}");
    for len in (0..file.len()).step_by(997) {
        if let Ok(plan) = slim::plan(&file[..len], &options(&[90])) {
            let mut new = Vec::new();
            plan.write(&file[..len], &mut new).unwrap();
            assert_eq!(slim::check(&file[..len], &new, &plan), Ok(()), "{len}");
        }
    }
}

#[test]
fn a_changed_archive_is_found() {
    let object = Build::default().small().object().unwrap();
    let file = archive(&[("one.o", &object), ("two.o", &object)], "rcs");
    let (plan, new) = slimmed(&file, &options(&[90]));
    for at in (0..new.len()).step_by(41) {
        let mut changed = new.clone();
        changed[at] ^= 0x15;
        assert!(slim::check(&file, &changed, &plan).is_err(), "{at:#x}");
    }
}
