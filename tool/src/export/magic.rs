//! A `magic(5)` file, for `file`: what a declaration says about how files begin.

mod starts;

use std::fmt::Write as _;

use crate::driver::Driver;
use crate::schema;
use starts::{Start, numbers, starts};

/// The file, or why there is none.
pub(super) fn magic(driver: &dyn Driver, program: &str) -> Result<String, String> {
    let layout = driver.layout();
    let mut missing = Vec::new();
    let mut starts = starts(layout, 0, starts::DEEPEST, &mut missing);
    // Those with more to tell them by first: `file` shows the first that is strong.
    starts.sort_by_key(|start| std::cmp::Reverse(start.tests.len()));
    if starts.is_empty() {
        return Err(format!(
            "no constant tells files of the format `{}` from others",
            driver.name()
        ));
    }
    let about = schema::about(driver);
    let mut text = format!(
        "# {about}\n# Made by `{program} export {} --to magic`; file -m FILE uses it.\n",
        driver.name()
    );
    for name in missing {
        // Writing to a string does not fail.
        let _ =
            writeln!(text, "# What is a {name} has no constant that tells it from other files.");
    }
    let title = title(driver.name(), &about);
    let mut known = Vec::new();
    for start in &starts {
        let lines = lines(start, &title);
        if !known.contains(&lines) {
            text.push_str(&lines);
            known.push(lines);
        }
    }
    Ok(text)
}

/// What `file` says of a file: it cuts what is longer than 63 bytes.
fn title(name: &str, about: &str) -> String {
    const LONGEST: usize = 56;
    let mut title = format!("{name}:");
    for word in about.split_whitespace() {
        if title.len().saturating_add(word.len()) >= LONGEST {
            title.push_str(" ..");
            break;
        }
        title.push(' ');
        title.push_str(word);
    }
    title.replace('%', "%%")
}

/// The lines of one way to begin.
fn lines(start: &Start, title: &str) -> String {
    let mut text = String::new();
    let last = start.tests.len().saturating_sub(1);
    for (level, test) in start.tests.iter().enumerate() {
        let said = if level == last { title } else { "" };
        let line =
            format!("{}{}\tstring\t{}\t{said}", ">".repeat(level), test.at, escaped(&test.bytes));
        let _ = writeln!(text, "{}", line.trim_end());
        if level == 0 && last > 0 {
            let _ = writeln!(text, "!:strength +{}", 20 * last);
        }
    }
    let level = ">".repeat(start.tests.len());
    for (at, name, ty) in numbers(start.layout, start.at, start.order) {
        let _ = writeln!(text, "{level}{at}\t{ty}\tx\t\\b, {name} %u");
    }
    text
}

/// Bytes as `file` reads them in a line.
fn escaped(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        match byte {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => text.push(char::from(*byte)),
            byte => {
                let _ = write!(text, "\\x{byte:02x}");
            }
        }
        text
    })
}

#[cfg(test)]
mod tests {
    use binfmt_runtime::BinFormat;

    use super::*;
    use crate::format;

    /// A picture: nothing like it.
    #[derive(BinFormat)]
    #[bin(big, magic = b"P 1\n\x00\xff")]
    struct Picture {
        version: u16,
        #[bin(check(width > 0, "no"))]
        width: u32,
        color_count: u8,
        #[bin(until_end)]
        rest: Vec<u8>,
    }

    /// One of several, 100 % sure.
    #[derive(BinFormat)]
    #[bin(little, peek = 4)]
    enum Either {
        #[bin(magic = 0x0102_0304u32)]
        Left(Left),
        #[bin(magic = 0u64)]
        Zero(Left),
        Right(Right),
    }

    #[derive(BinFormat)]
    #[bin(little)]
    struct Left {
        kind: Kind,
        magic: u32,
    }

    #[derive(BinFormat, Clone, Copy)]
    #[bin(little)]
    #[repr(u32)]
    enum Kind {
        Nothing = 0,
        Old = 0x4141,
        New = 0x4242_4242,
    }

    #[derive(BinFormat)]
    struct Right {
        #[bin(one_of = [b"RR", b"rr"])]
        name: [u8; 2],
    }

    #[derive(BinFormat)]
    struct Plain {
        byte: u8,
    }

    #[test]
    fn constants_are_tests_and_versions_are_shown() {
        let text = magic(format::<Picture>("picture").driver(), "binfmt").unwrap();
        assert_eq!(
            text,
            "\
# A picture: nothing like it
# Made by `binfmt export picture --to magic`; file -m FILE uses it.
0\tstring\tP\\x201\\x0a\\x00\\xff\tpicture: A picture: nothing like it
>6\tubeshort\tx\t\\b, version %u
>12\tubyte\tx\t\\b, color count %u
"
        );
    }

    #[test]
    fn every_variant_has_its_tests() {
        let text = magic(format::<Either>("either").driver(), "binfmt").unwrap();
        let lines: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(
            lines,
            [
                "4\tstring\t\\x04\\x03\\x02\\x01",
                "!:strength +20",
                ">0\tstring\tAA\\x00\\x00\teither: One of several, 100 %% sure",
                "4\tstring\t\\x04\\x03\\x02\\x01",
                "!:strength +20",
                ">0\tstring\tBBBB\teither: One of several, 100 %% sure",
                "0\tstring\tRR\teither: One of several, 100 %% sure",
                "0\tstring\trr\teither: One of several, 100 %% sure",
            ]
        );
    }

    #[test]
    fn format_without_constants_has_no_magic() {
        let why = magic(format::<Plain>("plain").driver(), "binfmt").unwrap_err();
        assert!(why.contains("no constant"), "{why}");
    }
}
