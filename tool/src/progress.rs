//! A progress bar on stderr, if that is a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar that counts bytes up to `total`.
pub(crate) fn bytes(total: u64) -> ProgressBar {
    let bar = ProgressBar::new(total);
    let style = ProgressStyle::with_template("{bar:30} {binary_bytes}/{binary_total_bytes} {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
