//! Values of an open section whose places count from the value that leads to them.

use binfmt_runtime::{BinFormat, laws};

use super::laws::hold;

/// The versions that a program needs: a chain of files, each with a chain of names.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[bin(little)]
struct Needs {
    first_at: u16,
    #[bin(section = open, len = remaining)]
    data: Vec<u8>,
    #[bin(at = first_at, place = data)]
    first: Need,
}

#[derive(BinFormat, Clone, Debug, PartialEq, Default)]
#[bin(little)]
struct Need {
    file: u8,
    names_at: u16,
    next_at: u16,
    #[bin(at = names_at, base = start, place = around, null = 0)]
    names: Option<Name>,
    #[bin(at = next_at, base = start, place = around, null = 0)]
    next: Option<Box<Self>>,
}

#[derive(BinFormat, Clone, Debug, PartialEq, Default)]
#[bin(little)]
struct Name {
    flags: u8,
    #[bin(prefix = u8)]
    text: String,
    next_at: u16,
    #[bin(at = next_at, base = start, place = around, null = 0)]
    next: Option<Box<Self>>,
}

fn names(texts: &[&str]) -> Option<Name> {
    let (first, others) = texts.split_first()?;
    let text = (*first).into();
    Some(Name { text, next: names(others).map(Box::new), ..Name::default() })
}

fn needs(all: &[&[&str]]) -> Option<Need> {
    let (first, others) = all.split_first()?;
    let next = needs(others).map(Box::new);
    Some(Need { names: names(first), next, ..Need::default() })
}

fn written(value: &Needs) -> Needs {
    let bytes = laws::written_is_read(value, ()).unwrap().unwrap();
    hold::<Needs>(bytes, ());
    assert_eq!(value.to_vec().unwrap(), bytes);
    Needs::parse(bytes).unwrap()
}

#[test]
fn a_new_chain_lies_behind_what_it_counts_from() {
    let long = "a long name that is longer than what leads to it";
    for first in [needs(&[&["a", "b"], &[long], &[], &[long, "x", long]]), needs(&[&[long]])] {
        let value = Needs { first_at: 0, data: Vec::new(), first: first.unwrap() };
        let read = written(&value);
        // Written as new, it is the same.
        let fresh = read.compact().to_vec().unwrap();
        assert_eq!(Needs::parse(&fresh).unwrap().first_at, 2);
    }
}

#[test]
fn a_chain_gets_another_entry_anywhere() {
    let long = "a name that does not fit where another one was";
    let base = needs(&[&["a", "b"], &["c"], &["d", "e"]]).unwrap();
    let value = written(&Needs { first_at: 0, data: Vec::new(), first: base });
    for (at, inner) in (0..3).flat_map(|at| [(at, false), (at, true)]) {
        for text in ["x", long] {
            let mut edited = value.clone();
            let name = nth(&mut edited.first, at).names.get_or_insert_default();
            let name = if inner { &mut **name.next.get_or_insert_default() } else { name };
            let rest = name.next.take();
            name.next = Some(Box::new(Name { text: text.into(), next: rest, ..Name::default() }));
            written(&edited);
            let need = nth(&mut edited.first, at);
            let rest = need.next.take();
            let new = Need { names: names(&[text]), next: rest, ..Need::default() };
            need.next = Some(Box::new(new));
            written(&edited);
        }
    }
}

fn nth(need: &mut Need, at: usize) -> &mut Need {
    match at {
        0 => need,
        _ => nth(need.next.as_mut().unwrap(), at - 1),
    }
}
