//! What makes a file of GPU code big, and its functions.

use binfmt_formats::fatbin::{self, file};
use binfmt_formats::summary::{Function, Summary};
use binfmt_tool::driver::Options;
use rayon::prelude::*;

/// The bytes of the file, and the functions of all code in it.
pub(super) fn summarize(file: &[u8], options: &Options) -> Result<Summary, String> {
    let mut summary = fatbin::summary(file).map_err(|error| error.to_string())?;
    let entries: Vec<_> =
        file::entries(file).map_err(|error| error.to_string())?.map_while(Result::ok).collect();
    let functions = entries.par_iter().map(|located| {
        let found = fatbin::functions(located, options.max_decoded);
        found.map_err(|error| format!("{}: {error}", located.path))
    });
    for found in functions.collect::<Vec<Result<Vec<Function>, String>>>() {
        match found {
            Ok(functions) => summary.functions.extend(functions),
            Err(why) => summary.unread.push(why),
        }
    }
    summary.functions.sort_by(|a, b| (b.len, &a.name).cmp(&(a.len, &b.name)));
    Ok(summary)
}
