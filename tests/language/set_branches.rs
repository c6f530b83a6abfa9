//! Places that are set by branches, each of which is that of a value that is there: values lie as close as they do without
//! branches, new ones and those that are written anew.

use binfmt_runtime::{BinFormat, laws};

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Disk {
    #[bin(set(at = start(root), len = len(root)))]
    head: Head,
    #[bin(section = open, len = remaining)]
    blocks: Vec<u8>,
    #[bin(at = head.at, len = head.len, place = blocks)]
    root: Folder,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Folder {
    #[bin(until_end)]
    nodes: Vec<Node>,
}

#[derive(BinFormat, Debug, Clone, Copy, PartialEq)]
struct Head {
    kind: u8,
    at: u8,
    len: u8,
}

/// A folder, a file or nothing, of which the same numbers tell.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Node {
    #[bin(set(
        at = if head.kind == 1 { start(folder) } else if head.kind == 2 { start(file) } else { 0 },
        len = if head.kind == 1 { len(folder) } else if head.kind == 2 { len(file) } else { 0 },
    ))]
    head: Head,
    #[bin(if = head.kind == 1, at = head.at, len = head.len, place = around)]
    folder: Option<Folder>,
    #[bin(if = head.kind == 2, at = head.at, len = head.len, place = around)]
    file: Option<Vec<u8>>,
}

fn head(kind: u8) -> Head {
    Head { kind, at: 0, len: 0 }
}

fn file(len: usize) -> Node {
    Node { head: head(2), folder: None, file: Some(vec![7; len]) }
}

fn folder(nodes: Vec<Node>) -> Node {
    Node { head: head(1), folder: Some(Folder { nodes }), file: None }
}

fn nothing() -> Node {
    Node { head: head(0), folder: None, file: None }
}

/// Trees of up to three files and two folders, and how many bytes they take.
fn disks() -> Vec<(Disk, usize)> {
    let mut all = Vec::new();
    for (files, folders, len) in (0..4)
        .flat_map(|files| (0..3).flat_map(move |folders| [1, 9].map(|len| (files, folders, len))))
    {
        let inner = || folder(vec![file(len), nothing()]);
        let nodes = (0..folders).map(|_| inner()).chain((0..files).map(|_| file(len))).collect();
        let disk = Disk { head: head(0), blocks: Vec::new(), root: Folder { nodes } };
        let numbers = 3 * (1 + files + folders * 3);
        all.push((disk, numbers + len * (files + folders)));
    }
    all
}

#[test]
fn values_lie_one_behind_the_other() {
    for (disk, len) in disks() {
        let bytes = laws::written_is_read(&disk, ()).unwrap().unwrap();
        assert_eq!(bytes.len(), len, "{disk:?}");
    }
}

#[test]
fn what_is_written_anew_is_as_short() {
    for (disk, len) in disks() {
        assert_eq!(disk.compact().to_vec().unwrap().len(), len, "{disk:?}");
        let read = Disk::parse(&disk.to_vec().unwrap()).unwrap();
        assert_eq!(read.compact().to_vec().unwrap().len(), len, "{read:?}");
    }
}

/// The place of a value, or 0: it asks whether the value is there.
#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Names {
    #[bin(prefix = u8)]
    items: Vec<Item>,
    #[bin(section = open, len = remaining)]
    heap: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Item {
    #[bin(set(at = if name.is_some() { start(name) } else { 0 }))]
    head: Place,
    #[bin(at = head.at, null = 0, nul, place = around)]
    name: Option<String>,
}

#[derive(BinFormat, Debug, Clone, Copy, PartialEq)]
struct Place {
    at: u8,
}

#[test]
fn a_place_that_is_set_where_its_value_is_there_is_no_other_one() {
    let item = |name: Option<&str>| Item {
        head: Place { at: u8::from(name.is_some()) },
        name: name.map(str::to_owned),
    };
    let names = |all: &[Option<&str>]| Names {
        items: all.iter().map(|name| item(*name)).collect(),
        heap: Vec::new(),
    };
    for all in
        [&[Some("a"), Some("b")][..], &[Some("a"), None, Some("b")], &[None, Some("a")], &[None]]
    {
        let names = names(all);
        let least = 1 + all.len() + all.iter().flatten().map(|name| name.len() + 1).sum::<usize>();
        let bytes = laws::written_is_read(&names, ()).unwrap().unwrap();
        assert_eq!(bytes.len(), least, "{names:?}");
        assert_eq!(names.compact().to_vec().unwrap().len(), least, "{names:?}");
    }
}
