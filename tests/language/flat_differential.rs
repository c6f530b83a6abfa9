//! The same tables, as the verifier of the `flatbuffers` crate sees them.

use binfmt_runtime::{BinFormat as _, FlatBuffer};
use flatbuffers::{
    ForwardsUOffset, InvalidFlatbuffer, SimpleToVerifyInSlice, Vector, Verifiable, Verifier,
    VerifierOptions,
};

use super::flat::{Ship as OurShip, full, slot};

type Checked = Result<(), InvalidFlatbuffer>;
type Offset<T> = ForwardsUOffset<T>;

struct Ship;
struct Hold;
/// Its size and alignment are those of the two numbers.
struct Position(#[expect(dead_code, reason = "stands for its bytes")] [f64; 2]);

impl SimpleToVerifyInSlice for Position {}

impl Verifiable for Position {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Checked {
        v.in_buffer::<Self>(pos)
    }
}

impl Verifiable for Hold {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Checked {
        v.visit_table(pos)?
            .visit_field::<u64>("size", slot(0), false)?
            .visit_field::<Offset<&str>>("cargo", slot(1), false)?
            .finish();
        Ok(())
    }
}

struct Empty;

impl Verifiable for Empty {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Checked {
        v.visit_table(pos)?.finish();
        Ok(())
    }
}

impl Verifiable for Ship {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Checked {
        v.visit_table(pos)?
            .visit_field::<Offset<&str>>("name", slot(0), true)?
            .visit_field::<u16>("crew", slot(1), false)?
            .visit_field::<bool>("armed", slot(2), false)?
            .visit_field::<Offset<Vector<'_, u8>>>("flag", slot(3), false)?
            .visit_field::<Offset<Vector<'_, Offset<Hold>>>>("holds", slot(4), false)?
            .visit_field::<Offset<Vector<'_, Offset<&str>>>>("ports", slot(5), false)?
            .visit_field::<i8>("kind", slot(6), false)?
            .visit_field::<Position>("at", slot(7), false)?
            .visit_union::<u8, _>(
                "engine_type",
                slot(8),
                "engine",
                slot(9),
                false,
                |tag, v, pos| match tag {
                    1 => v.verify_union_variant::<Offset<Hold>>("Hold", pos),
                    2 => v.verify_union_variant::<Offset<Empty>>("Oars", pos),
                    _ => Ok(()),
                },
            )?
            .visit_field::<Offset<Self>>("tug", slot(10), false)?
            .visit_field::<Offset<Vector<'_, Position>>>("track", slot(11), false)?
            .visit_field::<f32>("draught", slot(12), false)?
            .visit_field::<Offset<Vector<'_, i64>>>("times", slot(13), false)?
            .finish();
        Ok(())
    }
}

/// What the crate says of a buffer.
pub(super) fn theirs(bytes: &[u8]) -> Checked {
    let options = VerifierOptions::default();
    let mut verifier = Verifier::new(&options, bytes);
    <Offset<Ship>>::run_verifier(&mut verifier, 0)
}

/// Whether both say the same, apart from what is ours alone: the identifier, rules, that a union
/// whose stored tag is 0 needs no value, and that a vector without items need not align them: `flatc`
/// writes such ones.
fn compare(bytes: &[u8], what: &dyn Fn() -> String) -> bool {
    if bytes.get(4..8) != Some(b"SHIP") {
        return false;
    }
    let report = FlatBuffer::<OurShip<'_>>::validate(bytes);
    let ours = report.errors().find(|finding| !finding.code.starts_with("Ship"));
    match (theirs(bytes), ours) {
        (Ok(()), None) | (Err(_), Some(_)) => {}
        (Err(InvalidFlatbuffer::InconsistentUnion { .. }), None) => return false,
        (Err(InvalidFlatbuffer::Unaligned { position, .. }), None)
            if bytes[position - 4..position] == [0; 4] =>
        {
            return false;
        }
        (theirs, _) => panic!("{}: they say {theirs:?}, we say\n{report}", what()),
    }
    ours.is_none()
}

#[test]
fn damaged_buffers_are_judged_as_the_crate_judges_them() {
    let bytes = full();
    assert!(compare(bytes, &|| "untouched".into()));
    let (mut good, mut bad) = (0, 0);
    for at in 8..bytes.len() {
        for value in (0..=255).step_by(3) {
            let mut bytes = bytes.to_vec();
            bytes[at] = value;
            let is_good = compare(&bytes, &|| format!("{value} at {at}"));
            *if is_good { &mut good } else { &mut bad } += 1;
        }
    }
    for end in 8..bytes.len() {
        compare(&bytes[..end], &|| format!("cut at {end}"));
    }
    assert!(good > 1_000 && bad > 1_000, "{good} good, {bad} bad");
}
