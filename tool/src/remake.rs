//! Files that are made anew from a file without errors.

use crate::driver::{Driver, Options};
use crate::input::Input;
use crate::output::{self, Outcome, printable};
use crate::validate;

/// Makes a file from another one; errors of either are told, and then there is none.
pub(crate) fn remake(
    input: &Input,
    driver: &dyn Driver,
    options: &Options,
    make: impl FnOnce() -> Result<Vec<u8>, String>,
) -> Result<Vec<u8>, Outcome> {
    let name = input.name();
    good(validate::tell_errors(&name, &driver.validate(input, options)))?;
    let bytes = make().map_err(|error| {
        output::error(&printable(&format!("{name}: cannot be written: {error}")));
        Outcome::Bad
    })?;
    let checked = driver.validate(&bytes, options);
    good(validate::tell_errors(&format!("{name}, as it would be written"), &checked))?;
    Ok(bytes)
}

fn good(outcome: Outcome) -> Result<(), Outcome> {
    if outcome == Outcome::Good { Ok(()) } else { Err(outcome) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{Fake, GOOD, OPTIONS, input};

    #[test]
    fn errors_before_and_after_leave_nothing() {
        let made = |from: &[u8], to: Result<&[u8], &str>| {
            let make = || to.map(<[u8]>::to_vec).map_err(str::to_owned);
            remake(&input(from), &Fake, &OPTIONS, make)
        };
        assert_eq!(made(GOOD, Ok(b"BOXS\x01a")), Ok(b"BOXS\x01a".to_vec()));
        assert_eq!(made(GOOD, Ok(b"BOXS\x02a")), Err(Outcome::Bad));
        assert_eq!(made(GOOD, Err("too large")), Err(Outcome::Bad));
        assert_eq!(made(b"BOXS\x02a", Ok(GOOD)), Err(Outcome::Bad));
    }
}
