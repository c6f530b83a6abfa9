//! The declarations of `binfmt-formats`.

use binfmt_formats::pte::Pte;
use binfmt_runtime::BinFormat;

use crate::fold;
use crate::race::Writer;

/// Reads the segments by name, and the operators.
pub fn read(file: &[u8]) -> Option<u64> {
    let file = Pte::parse(file).ok()?;
    let program = file.program().ok()?;
    let segments = program.segments();
    let mut sum = file.header()?.data_size?;
    for named in &program.named_data() {
        let named = named.ok()?;
        let segment = segments.get(named.segment_index.into())?.ok()?;
        sum = fold::program(sum, named.key?.as_bytes(), file.segment(&segment)?);
    }
    for plan in &program.plans() {
        for operator in &plan.ok()?.operators {
            let operator = operator.ok()?;
            let (name, overload) =
                (operator.name.unwrap_or_default(), operator.overload.unwrap_or_default());
            sum = fold::program(sum, name.as_bytes(), overload.as_bytes());
        }
    }
    Some(sum)
}

/// Whether all that the file has can be read.
pub fn is_valid(file: &[u8]) -> Option<u64> {
    Pte::is_valid(file).then_some(1)
}

/// Whether there are no errors.
pub fn validate(file: &[u8]) -> Option<u64> {
    Pte::validate(file).errors().next().is_none().then_some(1)
}

/// Writes the file again.
pub fn write(file: &[u8]) -> Option<Writer<'_>> {
    let file = Pte::parse(file).ok()?;
    Some(Box::new(move || file.to_vec().ok()))
}
