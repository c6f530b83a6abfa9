//! Libraries, object files and containers without the code that wanted devices cannot use.
//!
//! The libraries are made here by the compiler and linker of this machine, with device code where
//! `nvcc` puts it, and loaded by a small program.

mod archives;
mod command;
pub(crate) mod made;
mod refused;
mod wheels;

use std::process::Command;

use binfmt_formats::elf::{Elf, Segment};
use binfmt_formats::fatbin::{Flags, Kind};
use binfmt_formats::slim::{self, Fate, Mode, Note, Options, Pin, Plan, Ptx};
use binfmt_runtime::BinFormat;

use made::{Build, container, entry};

pub(crate) fn options(devices: &[u32]) -> Options {
    Options { devices: devices.to_vec(), ..Options::default() }
}

/// The new file, which is as planned.
fn slimmed(file: &[u8], options: &Options) -> (Plan, Vec<u8>) {
    let plan = slim::plan(file, options).unwrap_or_else(|refusal| panic!("{refusal}"));
    let mut new = Vec::new();
    plan.write(file, &mut new).unwrap();
    slim::check(file, &new, &plan).unwrap_or_else(|refusal| panic!("{refusal}"));
    (plan, new)
}

/// Libraries as several linkers and options make them; those that this machine cannot make are left
/// out, but for the first.
fn libraries() -> Vec<(&'static str, Build)> {
    let plain = Build::default;
    vec![
        ("bfd", plain()),
        ("gold", plain().flags(&["-fuse-ld=gold"])),
        ("lld", plain().flags(&["-fuse-ld=lld"])),
        ("packed relocations", plain().flags(&["-Wl,-z,pack-relative-relocs"])),
        ("one code segment", plain().flags(&["-Wl,-z,noseparate-code"])),
        ("large pages", plain().flags(&["-Wl,-z,max-page-size=0x200000"])),
        ("both hashes", plain().flags(&["-Wl,--hash-style=both"])),
        ("no build id", plain().flags(&["-Wl,--build-id=none"])),
        ("stripped", plain().flags(&["-s"])),
        ("debug", plain().flags(&["-g"])),
        ("exceptions", plain().exceptions()),
        ("relocatable code", plain().relocatable()),
    ]
}

#[test]
fn slimmed_libraries_are_smaller_and_load() {
    for (name, build) in libraries() {
        let Some(file) = build.library() else {
            assert_ne!(name, "bfd", "there is no C compiler");
            continue;
        };
        let (plan, new) = slimmed(&file, &options(&[90]));
        assert!(new.len() + 200_000 < file.len(), "{name}: {} {}", file.len(), new.len());
        assert!(plan.containers.iter().all(|it| it.pin.is_none()), "{name}");
        assert_eq!(plan.notes, [], "{name}");
        assert_eq!(made::loaded(&file), "answer 47, 3 containers of 6 entries\n", "{name}");
        let expected = "answer 47, 3 containers of 1 entries\n";
        assert_eq!(made::loaded(&new), expected, "{name}");
        made::readelf_is_quiet(&new, name);
        for tool in [&["strip"][..], &["objcopy", "-g"], &["patchelf", "--set-rpath", "/nowhere"]] {
            if let Some(changed) = made::changed_by(tool, &new) {
                assert_eq!(made::loaded(&changed), expected, "{name} {tool:?}");
            }
        }
    }
}

#[test]
fn the_result_is_the_same_every_time_and_stays_as_it_is() {
    let file = Build::default().library().unwrap();
    let (_, new) = slimmed(&file, &options(&[90]));
    assert_eq!(slimmed(&file, &options(&[90])).1, new);
    let (again, same) = slimmed(&new, &options(&[90]));
    assert!(!again.changes);
    assert_eq!(same, new);
    // First two devices, then one.
    let (_, wide) = slimmed(&file, &options(&[80, 90]));
    let (_, narrow) = slimmed(&wide, &options(&[90]));
    assert!(narrow.len() < wide.len() && wide.len() < file.len());
    assert_eq!(made::loaded(&narrow), "answer 47, 3 containers of 1 entries\n");
}

#[test]
fn zeros_change_nothing_else() {
    let file = Build::default().library().unwrap();
    let (plan, new) = slimmed(&file, &Options { mode: Mode::Zero, ..options(&[90]) });
    assert_eq!(new.len(), file.len());
    assert_eq!(made::loaded(&new), "answer 47, 3 containers of 1 entries\n");
    let inside = |at: usize| plan.containers.iter().any(|it| it.range.contains(&(at as u64)));
    let outside = (0..file.len()).filter(|at| !inside(*at));
    assert!(outside.clone().all(|at| file[at] == new[at]));
    let cleared = (0..file.len()).filter(|at| file[*at] != 0 && new[*at] == 0).count();
    assert!(cleared > 200_000, "{cleared}");
}

#[test]
fn entries_go_for_a_reason() {
    use Fate::{Asked, Compiled, OtherDevice, Runs, Unneeded};

    let file = Build::default().library().unwrap();
    let fates = |devices: &[u32], ptx| {
        let plan = slim::plan(&file, &Options { ptx, ..options(devices) }).unwrap();
        plan.containers[0].members.iter().map(|it| it.fate).collect::<Vec<_>>()
    };
    // Cubins for 75, 80, 86, 90 and 100, and PTX for 75.
    let cases: &[(&[u32], Ptx, [Fate; 6])] = &[
        (&[90], Ptx::Needed, [OtherDevice, OtherDevice, OtherDevice, Runs, OtherDevice, Unneeded]),
        (&[89], Ptx::Needed, [OtherDevice, Runs, Runs, OtherDevice, OtherDevice, Unneeded]),
        (
            &[120],
            Ptx::Needed,
            [OtherDevice, OtherDevice, OtherDevice, OtherDevice, OtherDevice, Compiled],
        ),
        (&[90], Ptx::All, [OtherDevice, OtherDevice, OtherDevice, Runs, OtherDevice, Asked]),
    ];
    for (devices, ptx, expected) in cases {
        assert_eq!(fates(devices, *ptx), expected, "{devices:?} {ptx:?}");
    }
}

#[test]
fn what_something_else_points_to_stays_where_it_is() {
    let cases = [
        ("lea", "const void *taken(void) { return fat1; }", Pin::Code),
        ("pointer", "const void *taken = fat1;", Pin::Pointer),
        ("inside", "const void *taken = fat1 + 64;", Pin::Inside),
        ("code inside", "const void *taken(void) { return fat1 + 64; }", Pin::Inside),
    ];
    for (name, source, pin) in cases {
        let file = Build::default().source(source).library().unwrap();
        let (plan, new) = slimmed(&file, &options(&[90]));
        let pins: Vec<_> = plan.containers.iter().map(|it| it.pin).collect();
        assert_eq!(pins, [None, Some(pin), None], "{name}");
        assert_eq!(plan.notes, [Note::Hole(".nv_fatbin".into())], "{name}");
        let kept = plan.containers[1].kept().count();
        assert_eq!(kept, if pin.is_whole() { 6 } else { 1 }, "{name}");
        assert!(new.len() < file.len());
        assert!(made::loaded(&new).starts_with("answer 47"), "{name}");
    }
    // A symbol that others see.
    for (flags, pin) in [(&[][..], Pin::Pointer), (&["-Wl,-Bsymbolic"], Pin::Symbol)] {
        let file = Build::default().visible().flags(flags).library().unwrap();
        let plan = slim::plan(&file, &options(&[90])).unwrap();
        let pins: Vec<_> = plan.containers.iter().map(|it| it.pin).collect();
        assert_eq!(pins, [Some(pin); 3]);
    }
    // No wrapper at all.
    let file = Build::default().without_wrapper(2).library().unwrap();
    let plan = slim::plan(&file, &options(&[90])).unwrap();
    assert_eq!(plan.containers[2].pin, Some(Pin::Unreferenced));
}

#[test]
fn object_files_link_after_they_were_slimmed() {
    for (name, build) in
        [("plain", Build::default()), ("stripped", Build::default().flags(&["-g0"]))]
    {
        let object = build.object().unwrap();
        let (plan, new) = slimmed(&object, &options(&[90]));
        assert!(plan.changes && new.len() + 200_000 < object.len(), "{name}");
        assert!(Elf::validate(&new).is_ok(), "{name}");
        let library = made::linked(&new).unwrap();
        assert_eq!(made::loaded(&library), "answer 47, 3 containers of 1 entries\n", "{name}");
        let (_, zeroed) = slimmed(&object, &Options { mode: Mode::Zero, ..options(&[90]) });
        assert_eq!(zeroed.len(), object.len());
        let library = made::linked(&zeroed).unwrap();
        assert_eq!(made::loaded(&library), "answer 47, 3 containers of 1 entries\n", "{name}");
    }
}

#[test]
fn bare_containers_lose_entries_alone() {
    let entries = |archs: &[u32]| archs.iter().map(|arch| entry(*arch, 1000)).collect::<Vec<_>>();
    let all = [container(&entries(&[75, 80, 90])), vec![0; 16], container(&entries(&[80, 86]))];
    let kept = [container(&entries(&[80])), vec![0; 16], container(&entries(&[80, 86]))];
    let (_, new) = slimmed(&all.concat(), &options(&[86]));
    assert_eq!(new, kept.concat());
    // A placeholder.
    let (plan, new) = slimmed(&all.concat(), &options(&[90]));
    let kept = [container(&entries(&[90])), vec![0; 16], container(&entries(&[80]))];
    assert_eq!(new, kept.concat());
    assert_eq!(plan.containers[1].members[0].fate, Fate::Placeholder);
    let (_, zeroed) = slimmed(&all.concat(), &Options { mode: Mode::Zero, ..options(&[86]) });
    assert_eq!(zeroed.len(), all.concat().len());
}

#[test]
fn files_of_the_corpus_are_slimmed_or_left() {
    for sample in crate::corpus::samples("fatbin") {
        for device in [75, 90, 120] {
            if let Ok(plan) = slim::plan(&sample.bytes, &options(&[device])) {
                let mut new = Vec::new();
                plan.write(&sample.bytes, &mut new).unwrap();
                let checked = slim::check(&sample.bytes, &new, &plan);
                assert_eq!(checked, Ok(()), "{} {device}", sample.name);
                assert!(new.len() <= sample.bytes.len());
            }
        }
    }
}

#[test]
fn damaged_libraries_are_refused_or_done_right() {
    let file = Build::default().small().library().unwrap();
    let elf = Elf::parse(&file).unwrap();
    let sections = usize::try_from(elf.sections_at).unwrap();
    let table = |name: &[u8]| {
        let (_, section) = elf.section(name).unwrap();
        (usize::try_from(section.offset).unwrap(), usize::try_from(section.size).unwrap())
    };
    let places = [
        (0, 64 + elf.segments().count() * 56),
        (sections, file.len() - sections),
        table(b".dynamic"),
        table(b".rela.dyn"),
        table(b".nvFatBinSegment"),
        table(b".symtab"),
        (table(b".nv_fatbin").0, 120),
    ];
    let (mut refused, mut done) = (0, 0);
    for (start, len) in places {
        for at in (start..start + len).step_by(3) {
            let mut file = file.clone();
            file[at] ^= [0xFF, 1, 0x80, 0x10][at % 4];
            for mode in [Mode::Pack, Mode::Zero] {
                match slim::plan(&file, &Options { mode, ..options(&[90]) }) {
                    Err(_) => refused += 1,
                    Ok(plan) => {
                        let mut new = Vec::new();
                        plan.write(&file, &mut new).unwrap();
                        let checked = slim::check(&file, &new, &plan);
                        assert_eq!(
                            checked.map_err(|it| it.to_string()),
                            Ok(()),
                            "{at:#x} {mode:?}"
                        );
                        done += 1;
                    }
                }
            }
        }
    }
    assert!(refused > 100 && done > 100, "{refused} {done}");
    for len in (0..file.len()).step_by(499) {
        assert!(slim::plan(&file[..len], &options(&[90])).is_err(), "{len}");
    }
}

#[test]
fn a_result_that_is_not_as_planned_is_found() {
    let file = Build::default().small().library().unwrap();
    let (plan, new) = slimmed(&file, &options(&[90]));
    let elf = Elf::parse(&new).unwrap();
    let loaded: Vec<_> = elf.memory().loads.iter().map(Segment::file_range).collect();
    let mut found = 0;
    for at in (0..new.len()).step_by(53) {
        if !loaded.iter().any(|range| range.contains(&(at as u64))) {
            continue;
        }
        let mut changed = new.clone();
        changed[at] ^= 0x55;
        assert!(slim::check(&file, &changed, &plan).is_err(), "{at:#x}");
        found += 1;
    }
    assert!(found > 100, "{found}");
    assert!(slim::check(&file, &new[..new.len() - 1], &plan).is_err());
    assert!(slim::check(&file, &file, &plan).is_err());
}

/// A command that this machine may not have.
fn run(command: &mut Command) -> Option<std::process::Output> {
    command.output().ok()
}

#[test]
fn kinds_of_entries_are_kept_that_cannot_be_judged() {
    let mut odd = entry(75, 1000);
    odd.kind = Kind::Nvvm;
    let mut hidden = entry(75, 1000);
    hidden.flags |= Flags::OBFUSCATED;
    let file = container(&[odd, hidden, entry(75, 1000), entry(90, 1000)]);
    let (plan, _) = slimmed(&file, &options(&[90]));
    let fates: Vec<_> = plan.containers[0].members.iter().map(|it| it.fate).collect();
    assert_eq!(fates, [Fate::Unjudged, Fate::Unjudged, Fate::OtherDevice, Fate::Runs]);
}
