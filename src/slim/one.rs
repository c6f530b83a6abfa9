//! One library, object file, archive of object files or container.

use std::fs::{self, File};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use binfmt_formats::slim::{self, Piece, Plan, Refusal};
use binfmt_tool::copying::Copying;
use binfmt_tool::input::Input;
use binfmt_tool::json;
use binfmt_tool::output::{Out, Outcome, Trouble, error, printable, warning};
use binfmt_tool::save::save_with;

use super::{SlimArgs, report};

pub(super) fn run(input: &Input, args: &SlimArgs, out: &mut Out<'_>) -> Result<Outcome, Trouble> {
    let options = args.options();
    let plan = match slim::plan(input, &options) {
        Ok(plan) => plan,
        Err(refusal) => return refused(input, &refusal, args.json, out),
    };
    if args.json {
        json::line(out, &report::json(input, args.output.as_deref(), &options, &plan))?;
    } else {
        report::text(input, &plan, args.dry_run, out)?;
    }
    out.flush()?;
    tell(input, &plan);
    if !plan.changes {
        return Ok(Outcome::Nothing);
    }
    if slim::is_of_nvidia(input) {
        warning(&printable(&format!("{}: {}", input.name(), super::OF_NVIDIA)));
    }
    match &args.output {
        Some(path) => write(input, &plan, path, args, out),
        None => Ok(Outcome::Good),
    }
}

pub(super) fn refused(
    input: &Input,
    refusal: &Refusal,
    as_json: bool,
    out: &mut Out<'_>,
) -> Result<Outcome, Trouble> {
    error(&printable(&format!("{}: {refusal}", input.name())));
    if as_json {
        json::line(out, &report::refusal(input, refusal))?;
        out.flush()?;
    }
    Ok(Outcome::Bad)
}

/// What somebody should know who uses the new file.
fn tell(input: &Input, plan: &Plan) {
    for told in &plan.notes {
        warning(&printable(&format!("{}: {}", input.name(), report::note(told))));
    }
}

/// Why a new file was not written.
enum Failed {
    Io(io::Error),
    Refused(Refusal),
    Trouble(Trouble),
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

fn write(
    input: &Input,
    plan: &Plan,
    path: &Path,
    args: &SlimArgs,
    out: &mut Out<'_>,
) -> Result<Outcome, Trouble> {
    let saved = save_with(&super::target(path)?, args.existing(), |file, name| {
        put(input, plan, file, args.punch)?;
        // What comes from elsewhere, such as standard input, has none.
        if let Ok(read) = fs::metadata(&args.file) {
            file.set_permissions(read.permissions())?;
        }
        // What counts is what can be read from the file.
        let new = Input::open(name).map_err(Failed::Trouble)?;
        slim::check(input, &new, plan).map_err(Failed::Refused)
    });
    match saved {
        Ok(()) => Ok(Outcome::Good),
        Err(Failed::Refused(refusal)) => refused(input, &refusal, args.json, out),
        Err(Failed::Trouble(trouble)) => Err(trouble),
        Err(Failed::Io(error)) => Err(super::unwritten(path, &error)),
    }
}

/// Zeros that are shorter are written, also where holes are wanted.
const HOLE: u64 = 0x1000;

/// Writes the pieces, which the system copies.
fn put(old: &Input, plan: &Plan, file: &mut File, holes: bool) -> io::Result<()> {
    if !holes {
        let mut out = Copying::new(file, vec![old]);
        plan.write(old, &mut out)?;
        return out.flush();
    }
    for piece in plan.pieces() {
        match piece {
            Piece::Zeros(len) if *len >= HOLE => {
                file.seek(SeekFrom::Current(i64::try_from(*len).unwrap_or(i64::MAX)))?;
            }
            piece => slim::write_piece(piece, old, file)?,
        }
    }
    file.set_len(plan.new_len())
}
