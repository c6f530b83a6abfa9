//! Sizes as people read them.

/// A number of bytes: exact, or with three digits and a unit.
pub fn shown(bytes: u64, exact: bool) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if exact || bytes < 1024 {
        return bytes.to_string();
    }
    // Tenths are enough, and integers do not round to the next unit by surprise.
    let mut unit = 0;
    let mut tenths = u128::from(bytes) * 10;
    loop {
        tenths = (tenths + 512) / 1024;
        if tenths < 10_230 || unit + 1 == UNITS.len() {
            break;
        }
        unit += 1;
    }
    let name = UNITS.get(unit).copied().unwrap_or_default();
    if tenths < 1000 {
        format!("{}.{} {name}", tenths / 10, tenths % 10)
    } else {
        format!("{} {name}", (tenths + 5) / 10)
    }
}

/// The same in a sentence, where a number without a unit needs a noun.
pub fn in_words(bytes: u64, exact: bool) -> String {
    let text = shown(bytes, exact);
    match (bytes, text.ends_with('B')) {
        (1, _) => "1 byte".to_owned(),
        (_, true) => text,
        _ => format!("{text} bytes"),
    }
}

/// A part of a whole, in per cent, rounded; only all of it is 100.0, and only nothing is 0.0.
pub fn percent(part: u64, whole: u64) -> String {
    let half = u128::from(whole) / 2;
    match (u128::from(part) * 1000 + half).checked_div(u128::from(whole)) {
        None => String::new(),
        Some(0) if part > 0 => "<0.1%".to_owned(),
        Some(1000) if part < whole => ">99.9%".to_owned(),
        Some(thousandths) => format!("{}.{}%", thousandths / 10, thousandths % 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_three_digits_and_a_unit() {
        for (bytes, text) in [
            (0, "0"),
            (1023, "1023"),
            (1024, "1.0 KiB"),
            (1536, "1.5 KiB"),
            (102_400, "100 KiB"),
            (1_048_575, "1.0 MiB"),
            (539_000_000, "514 MiB"),
            (u64::MAX, "16.0 EiB"),
        ] {
            assert_eq!(shown(bytes, false), text, "{bytes}");
            assert_eq!(shown(bytes, true), bytes.to_string());
        }
        assert_eq!(in_words(1, false), "1 byte");
        assert_eq!(in_words(29, false), "29 bytes");
        assert_eq!(in_words(2048, false), "2.0 KiB");
        assert_eq!(in_words(2048, true), "2048 bytes");
    }

    #[test]
    fn parts_are_per_cent() {
        let shown = [(1, 3), (2, 3), (1, 100_000), (99_999, 100_000), (5, 5), (0, 5), (7, 0)];
        let shown = shown.map(|(part, whole)| percent(part, whole));
        assert_eq!(shown, ["33.3%", "66.7%", "<0.1%", ">99.9%", "100.0%", "0.0%", ""]);
    }
}
