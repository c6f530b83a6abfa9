//! The page itself: the style and the script of every page, and what is in this file.

use std::collections::HashMap;
use std::fmt::Write as _;

use binfmt_runtime::Finding;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::base64::base64;
use super::bytes::chosen;
use super::keep::{self, Name, Row};
use super::marks::Marks;
use super::text::safe;
use crate::driver::{Checked, Driver, Options};
use crate::findings::causes_first;
use crate::input::Input;
use crate::json::{escaped, left_out, wide};
use crate::schema;
use crate::type_names::human;

const STYLE: &str = include_str!("page/style.css");

/// The script, one part after the other.
const SCRIPT: &str = concat!(
    "'use strict';\n",
    include_str!("page/data.js"),
    include_str!("page/lines.js"),
    include_str!("page/tree.js"),
    include_str!("page/map.js"),
    include_str!("page/hex.js"),
    include_str!("page/findings.js"),
    include_str!("page/main.js"),
);

/// How many findings of one code, and in all, a page has.
const ALIKE: usize = 100;
const FINDINGS: usize = 500;

/// How long the message of a finding is, at most.
const LONGEST: usize = 400;

/// The page of a file, for a program of that name.
pub(super) fn page(
    input: &Input,
    driver: &dyn Driver,
    checked: &Checked,
    (program, options): (&str, &Options),
) -> String {
    let groups = causes_first(checked.report.findings().iter());
    let alike = groups.iter().flat_map(|group| group.iter().copied().take(ALIKE));
    let findings: Vec<&Finding> = alike.take(FINDINGS).collect();
    let mut marks = Marks::new(findings.iter().copied());
    let rows = keep::rows(input, driver, options, &mut marks);
    let name = safe(&input.name(), 300);
    let mut data = json!({
        "program": program,
        "file": name,
        "size": input.len(),
        "format": driver.name(),
        "about": schema::about(driver),
        "variant": checked.variant,
        "verdict": checked.verdict(),
        "bytes": bytes(input, &rows, &findings),
        "findings": told(&findings, &marks),
        "found": count(checked),
        "left_out": checked.report.left_out().map(|more| left_out(&more)).collect::<Vec<_>>(),
    });
    let mut strings = Strings::default();
    let rows: Vec<Value> = rows.iter().map(|row| strings.row(row)).collect();
    data["strings"] = strings.list.into();
    data["rows"] = rows.into();
    // A script ends at `</script`, whatever stands around it.
    let data = escaped(&data.to_string()).replace('<', "\\u003c");
    format!(
        include_str!("page/index.html"),
        title = html(&name),
        style = STYLE,
        style_hash = base64(&Sha256::digest(STYLE)),
        script = SCRIPT,
        script_hash = base64(&Sha256::digest(SCRIPT)),
        data = data,
    )
}

/// How many findings there are of each severity, those that no report keeps too.
fn count(checked: &Checked) -> Value {
    let mut counts: HashMap<&str, u64> = HashMap::new();
    let kept = checked.report.findings().iter().map(|finding| (finding.severity, 1));
    let more = checked.report.left_out().map(|more| (more.severity, more.count));
    for (severity, more) in kept.chain(more) {
        let count = counts.entry(severity.name()).or_default();
        *count = count.saturating_add(more);
    }
    json!(counts)
}

fn told(findings: &[&Finding], marks: &Marks) -> Value {
    let told = findings.iter().zip(marks.rows()).map(|(finding, row)| {
        let (start, end) = in_file(finding);
        json!([
            finding.severity.name(),
            finding.code,
            safe(finding.path.as_str(), LONGEST),
            start,
            end,
            safe(finding.message.as_str(), LONGEST),
            row,
        ])
    });
    told.collect()
}

/// Where a finding is in the file; in decoded bytes, where the coded ones begin.
fn in_file(finding: &Finding) -> (u64, u64) {
    finding.coded_at.map_or((finding.start, finding.end), |at| (at, at))
}

/// The bytes that a page has: offsets, and what stands there.
fn bytes(file: &[u8], rows: &[Row], findings: &[&Finding]) -> Value {
    let marks: Vec<_> = findings.iter().map(|finding| in_file(finding)).collect();
    let fields: Vec<_> = rows.iter().map(|row| (row.start, row.end)).collect();
    let ranges = chosen(wide(file.len()), &marks, &fields);
    let range = |range: std::ops::Range<u64>| {
        let start = usize::try_from(range.start).unwrap_or(usize::MAX);
        let end = usize::try_from(range.end).unwrap_or(usize::MAX);
        json!([range.start, base64(file.get(start..end).unwrap_or_default())])
    };
    ranges.into_iter().map(range).collect()
}

/// Texts that many rows share, each once.
#[derive(Debug, Default)]
struct Strings {
    list: Vec<String>,
    known: HashMap<String, usize>,
}

impl Strings {
    fn add(&mut self, text: &str) -> usize {
        if let Some(known) = self.known.get(text) {
            return *known;
        }
        let index = self.list.len();
        self.list.push(text.to_owned());
        self.known.insert(text.to_owned(), index);
        index
    }

    /// Depth, name, type, meaning, start, end, how much is inside, and the value.
    fn row(&mut self, row: &Row) -> Value {
        let (is_top, name) = match &row.name {
            Name::Part(name) => (true, safe(name, 200).into()),
            Name::Step(binfmt_runtime::Step::Field(name)) => (false, self.add(name).into()),
            Name::Step(step) => (false, Value::from(step.to_string())),
        };
        let ty = if is_top { row.ty.to_owned() } else { human(row.ty) };
        let (ty, doc) = (self.add(&ty), self.add(row.doc.trim()));
        let mut cells = json!([
            row.depth,
            name,
            ty,
            doc,
            row.start,
            row.end.saturating_sub(row.start),
            row.children
        ]);
        if let (Some((kind, text)), Some(cells)) = (&row.value, cells.as_array_mut()) {
            cells.push(kind.to_string().into());
            if !text.is_empty() {
                cells.push(text.as_str().into());
            }
        }
        cells
    }
}

/// Text between tags.
fn html(text: &str) -> String {
    text.chars().fold(String::new(), |mut html, c| {
        match c {
            '<' | '>' | '&' | '"' | '\'' => {
                // Writing to a string does not fail.
                let _ = write!(html, "&#{};", u32::from(c));
            }
            c => html.push(c),
        }
        html
    })
}

#[cfg(test)]
mod tests {
    use binfmt_runtime::BinFormat;

    use super::*;
    use crate::fake::{BROKEN, Fake, GOOD, OPTIONS, input};
    use crate::format;

    fn shown(bytes: &[u8], driver: &dyn Driver) -> String {
        let checked = driver.validate(bytes, &OPTIONS);
        page(&input(bytes), driver, &checked, ("binfmt", &OPTIONS))
    }

    /// What is in a page.
    fn data(page: &str) -> Value {
        let (_, data) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
        serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap()
    }

    #[derive(BinFormat)]
    #[bin(magic = b"TEXT")]
    struct Texts<'a> {
        #[bin(until_end)]
        texts: Vec<Text<'a>>,
    }

    #[derive(BinFormat)]
    struct Text<'a> {
        len: u8,
        #[bin(len = len)]
        text: &'a str,
    }

    fn texts(text: &str, count: usize) -> Vec<u8> {
        let len = u8::try_from(text.len()).unwrap();
        let one = [&[len], text.as_bytes()].concat();
        [b"TEXT".to_vec(), one.repeat(count)].concat()
    }

    #[test]
    fn page_has_fields_bytes_and_findings() {
        let data = data(&shown(&GOOD[..GOOD.len() - 1], &Fake));
        assert_eq!(data["verdict"], "malformed");
        assert_eq!(data["bytes"], json!([[0, base64(&GOOD[..GOOD.len() - 1])]]));
        let boxes = data["strings"].as_array().unwrap().iter().position(|text| text == "boxes");
        assert_eq!(data["rows"][1][1], boxes.unwrap());
        assert_eq!(data["rows"][2], json!([2, "[0]", 1, 1, 5, 3, 0, "b", "61 62 63 \"abc\""]));
        assert_eq!(data["findings"][0][2], "boxes[1]");
        assert_eq!(data["found"], json!({"error": 1}));
    }

    #[test]
    fn nothing_is_loaded_and_only_its_own_script_runs() {
        let page = shown(BROKEN, &Fake);
        for way_out in
            ["http:", "https:", "src=", "@import", "url(", "fetch(", "XMLHttp", "innerHTML"]
        {
            assert!(!page.contains(way_out), "{way_out}");
        }
        assert!(page.contains("default-src 'none'"));
        let part = |tag: &str, end: &str| {
            let (_, part) = page.split_once(tag).unwrap();
            base64(&Sha256::digest(part.split_once(end).unwrap().0))
        };
        let style = part("<style>", "</style>");
        let script = part("</script>\n<script>", "</script>");
        assert!(
            page.contains(&format!("style-src 'sha256-{style}'; script-src 'sha256-{script}'"))
        );
    }

    #[test]
    fn texts_of_a_file_stay_texts() {
        let text = "</script><script>hacked=1</script><!--\u{202e}\u{e0041}\u{1b}[2J\u{2028}";
        let format = format::<Texts<'_>>("texts");
        let page = shown(&texts(text, 3), format.driver());
        assert_eq!(page.matches("</script").count(), 2);
        assert!(!page.contains("<!--") && !page.contains("hacked=1</"));
        for c in ['\u{202e}', '\u{e0041}', '\u{1b}', '\u{2028}'] {
            assert!(!page.contains(c), "{c:?}");
        }
        let value = data(&page)["rows"][5][8].to_string();
        assert!(value.contains("</script><script>"), "{value}");
        let name = input(GOOD).renamed("<b>'\"&\u{202e}.box");
        let checked = Fake.validate(&name, &OPTIONS);
        let page = super::page(&name, &Fake, &checked, ("binfmt", &OPTIONS));
        assert!(page.contains("<title>&#60;b&#62;&#39;&#34;&#38;\\u{202e}.box</title>"));
    }

    #[test]
    fn page_is_smaller_than_it_says_whatever_is_in_the_file() {
        let format = format::<Texts<'_>>("texts");
        for text in ["<\"\\\u{202e}", "\u{1f600}", "", "\u{7f}\u{ffff}"] {
            let text = text.repeat(250 / text.len().max(1));
            let bytes = texts(&text, 10_000);
            let page = shown(&bytes, format.driver());
            assert!(page.len() < 4 << 20, "{text}: {}", page.len());
            assert!(data(&page)["rows"].as_array().unwrap().len() > 10_000);
            // And with an error in every field.
            let broken: Vec<u8> = bytes
                .iter()
                .enumerate()
                .map(|(at, byte)| if at > 4 && byte & 0x80 != 0 { 0xff } else { *byte })
                .collect();
            let page = shown(&broken, format.driver());
            assert!(page.len() < 4 << 20, "{text}, broken: {}", page.len());
        }
    }

    #[test]
    fn empty_file_has_a_page_too() {
        let format = format::<Texts<'_>>("texts");
        let data = data(&shown(b"", format.driver()));
        assert_eq!((&data["bytes"], &data["size"]), (&json!([]), &json!(0)));
        assert_ne!(data["findings"], json!([]));
    }
}
