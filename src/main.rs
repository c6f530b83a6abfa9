//! The executable; all of it is in the libraries.

use std::process::ExitCode;

fn main() -> ExitCode {
    binfmt_cli::program().main()
}
