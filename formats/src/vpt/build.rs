//! Tables with other programs in them.

use alloc::vec::Vec;

use binfmt_runtime::{BinFormat as _, Error, Seq};

use super::{Expect, Program, Table, Vpt};

/// What becomes of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change<'a> {
    /// It gets another payload.
    Payload(&'a [u8]),
    /// It goes.
    Drop,
}

impl<'a> Vpt<'a> {
    /// The table with changed programs, which `change` is asked for by their index, and with new ones
    /// behind the others. Version, vendor and layout stay; new programs have flags where the layout
    /// has them.
    ///
    /// ```
    /// use binfmt_formats::vpt::{Change, EntryLayout, Expect, Program, Table, Vpt};
    /// use binfmt_runtime::BinFormat;
    ///
    /// let programs = [Program::plain(b"main", b"abc"), Program::plain(b"old", b"")];
    /// let args = (Expect::ANY, EntryLayout::Plain);
    /// let old = Table::new(7, &programs).to_vec_with(args)?;
    /// let old = Vpt::parse_with(&old, Expect::ANY)?;
    /// let change = |index| match index {
    ///     0 => Some(Change::Payload(b"longer")),
    ///     _ => Some(Change::Drop),
    /// };
    /// let new = old.rebuilt(&mut { change }, &[Program::plain(b"new", b"x")])?;
    /// let new = Vpt::parse_with(&new, Expect::ANY)?;
    /// let names: Result<Vec<_>, _> =
    ///     new.table().programs.iter().map(|it| it.map(|it| (it.name, it.payload))).collect();
    /// assert_eq!(names?, [(&b"main"[..], &b"longer"[..]), (b"new", b"x")]);
    /// # Ok::<(), binfmt_runtime::Error>(())
    /// ```
    pub fn rebuilt<'p>(
        &self,
        change: &mut dyn FnMut(u64) -> Option<Change<'p>>,
        added: &[Program<'p>],
    ) -> Result<Vec<u8>, Error>
    where
        'a: 'p,
    {
        let mut programs: Vec<Program<'p>> = Vec::new();
        for (program, index) in self.table().programs.iter().zip(0_u64..) {
            let program = program?;
            match change(index) {
                None => programs.push(program),
                Some(Change::Payload(payload)) => programs.push(Program { payload, ..program }),
                Some(Change::Drop) => {}
            }
        }
        programs.extend_from_slice(added);
        let table: Table<'_> = Table { programs: Seq::from(&programs[..]), ..self.table().clone() };
        table.to_vec_with((Expect::ANY, self.entries()))
    }
}
