//! What can be extracted from a file of fat binaries.

use std::borrow::Cow;
use std::sync::Arc;

use binfmt_formats::fatbin::file::{self, Part};
use binfmt_formats::fatbin::{Entry, Flags, Kind, Member, Options as CodeOptions, payload};
use serde_json::Value;

use super::blobs::Blobs;
use super::file_names::FileNames;
use super::places::Places;
use binfmt_tool::driver::Options;
use binfmt_tool::item::{Item, Payload, offset_in};
use binfmt_tool::json::{hex, number, wide};

/// The path of an entry, as findings give it.
pub(super) fn entry_path(part: &Part, container: u64, entry: u64) -> String {
    format!("{}items[{container}].entries[{entry}]", part.path_prefix())
}

/// All entries, with members in place of the entries that hold them.
pub(super) fn items<'f>(
    file: &'f [u8],
    places: &Places,
    stem: &str,
    options: &Options,
) -> Vec<Item<'f>> {
    let mut list = List {
        file,
        names: FileNames::new(stem),
        blobs: Arc::new(Blobs::new(options.max_decoded)),
        items: Vec::new(),
    };
    for part in &places.parts {
        for placed in file::containers(file, part).map_while(Result::ok) {
            for ((offset, entry), index) in placed.entries().map_while(Result::ok).zip(0_u64..) {
                let path = entry_path(part, placed.index, index);
                list.add(path, offset, entry, options.max_decoded);
            }
        }
    }
    list.items
}

struct List<'f> {
    file: &'f [u8],
    names: FileNames,
    blobs: Arc<Blobs<'f>>,
    items: Vec<Item<'f>>,
}

impl<'f> List<'f> {
    fn add(&mut self, path: String, offset: u64, entry: Entry<'f>, limit: u64) {
        if let Some(table) = entry.members.as_ref().filter(|_| entry.kind == Kind::Concat) {
            let members = table.members.iter().map_while(Result::ok);
            let entry = Arc::new(entry.clone());
            for (member, index) in members.zip(0_u64..) {
                self.add_member(format!("{path}.members[{index}]"), offset, &entry, &member);
            }
            return;
        }
        let facts = Facts::from(&entry);
        let mut item = self.item(path, entry.payload, entry.flags, &facts);
        item.promised = promised(&entry, entry.uncompressed_len);
        let payload = Box::new(move || content_of(&entry, limit));
        self.items.push(Item { payload, ..item });
    }

    fn add_member(
        &mut self,
        path: String,
        offset: u64,
        entry: &Arc<Entry<'f>>,
        member: &Member<'f>,
    ) {
        let facts = Facts::from(member);
        let mut item = self.item(path, entry.payload, entry.flags, &facts);
        item.details.push(("blob_offset", member.blob_offset.into()));
        item.promised = promised(entry, entry.uncompressed_len)
            .map(|_| member.len)
            .filter(|len| *len <= entry.uncompressed_len);
        let (blobs, entry, member) = (Arc::clone(&self.blobs), Arc::clone(entry), member.clone());
        let payload = Box::new(move || member_of(&blobs, offset, &entry, &member));
        self.items.push(Item { payload, ..item });
    }

    /// An item without its payload; `stored` is what the file has of it.
    fn item(
        &mut self,
        path: String,
        stored: &'f [u8],
        storage: Flags,
        facts: &Facts<'f>,
    ) -> Item<'f> {
        let arch = payload::arch_name(facts.arch, facts.flags);
        let kind = facts.kind.name();
        let file_name = self.names.next(kind, &arch, facts.name);
        let (options_key, options) = options_value(facts.options);
        Item {
            path,
            kind: kind.to_owned(),
            name: facts.name.map(<[u8]>::to_vec),
            offset: offset_in(self.file, stored),
            stored_size: wide(stored.len()),
            columns: vec![("arch", arch.into()), ("codec", storage.codec().name().into())],
            details: vec![
                (
                    "code_version",
                    format!("{}.{}", facts.code_version.0, facts.code_version.1).into(),
                ),
                ("debug", facts.flags.contains(Flags::DEBUG).into()),
                ("obfuscated", storage.contains(Flags::OBFUSCATED).into()),
                ("flags", number(facts.flags.bits())),
                (options_key, options),
            ],
            file_name,
            is_file: true,
            promised: None,
            payload: Box::new(|| Err("this item has no payload".to_owned())),
        }
    }
}

/// The length that a header promises, if decoding has to be done and could give that much.
fn promised(entry: &Entry<'_>, len: u64) -> Option<u64> {
    let codec = entry.flags.codec();
    let can_be = entry.flags.is_compressed() && len <= codec.most(wide(entry.payload.len()));
    (can_be && !entry.flags.contains(Flags::OBFUSCATED)).then_some(len)
}

/// What an entry and a member both say about code.
struct Facts<'f> {
    kind: Kind,
    arch: u32,
    flags: Flags,
    code_version: (u16, u16),
    name: Option<&'f [u8]>,
    options: Option<&'f [u8]>,
}

impl<'f> From<&Entry<'f>> for Facts<'f> {
    fn from(entry: &Entry<'f>) -> Self {
        Self {
            kind: entry.kind,
            arch: entry.arch,
            flags: entry.flags,
            code_version: (entry.code_major, entry.code_minor),
            name: entry.name,
            options: entry.options.as_ref().and_then(|options: &CodeOptions<'f>| options.data),
        }
    }
}

impl<'f> From<&Member<'f>> for Facts<'f> {
    fn from(member: &Member<'f>) -> Self {
        Self {
            kind: member.kind,
            arch: member.arch,
            flags: member.flags,
            code_version: (member.code_major, member.code_minor),
            name: member.name,
            options: member.options.as_ref().and_then(|options: &CodeOptions<'f>| options.data),
        }
    }
}

/// Options are text for a compiler, or a list of capabilities in bytes.
fn options_value(options: Option<&[u8]>) -> (&'static str, Value) {
    let printable = |byte: &u8| byte.is_ascii_graphic() || *byte == b' ';
    match options {
        None => ("options", Value::Null),
        Some(bytes) if bytes.iter().all(printable) => {
            ("options", String::from_utf8_lossy(bytes).into())
        }
        Some(bytes) => ("options_hex", hex(bytes).into()),
    }
}

fn content_of<'f>(entry: &Entry<'f>, limit: u64) -> Payload<'f> {
    // Nobody but the driver can decode it; it is handed out as it is.
    if entry.flags.contains(Flags::OBFUSCATED) {
        return Ok(Cow::Borrowed(entry.payload));
    }
    match payload::decode(entry, limit).map_err(|error| error.to_string())? {
        Cow::Borrowed(bytes) => content(entry.kind, bytes).map(Cow::Borrowed),
        Cow::Owned(mut bytes) => {
            // The content is what the payload starts with.
            let len = content(entry.kind, &bytes)?.len();
            bytes.truncate(len);
            Ok(Cow::Owned(bytes))
        }
    }
}

fn member_of<'f>(
    blobs: &Blobs<'f>,
    offset: u64,
    entry: &Entry<'f>,
    member: &Member<'f>,
) -> Payload<'f> {
    match blobs.get(offset, entry)?.as_ref() {
        Cow::Borrowed(blob) => member_content(blob, member).map(Cow::Borrowed),
        Cow::Owned(blob) => member_content(blob, member).map(|bytes| Cow::Owned(bytes.to_vec())),
    }
}

fn member_content<'b>(blob: &'b [u8], member: &Member<'_>) -> Result<&'b [u8], String> {
    content(member.kind, payload::member(blob, member).map_err(|error| error.to_string())?)
}

fn content(kind: Kind, decoded: &[u8]) -> Result<&[u8], String> {
    payload::content(kind, decoded).map_err(|error| error.to_string())
}
