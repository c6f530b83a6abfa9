//! Mach-O: programs and libraries of macOS, thin or for several processors: load commands of many
//! kinds, some with texts inside them.
//!
//! The file was made by the linker of Zig.

use binfmt_runtime::{Auto, BinFormat};

/// A file for one processor, or several of them.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(peek = 0)]
pub(crate) enum File<'a> {
    #[bin(magic = b"\xcf\xfa\xed\xfe")]
    Thin(Thin<'a>),
    #[bin(magic = b"\xca\xfe\xba\xbe")]
    Universal(Universal<'a>),
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big, magic = 0xcafe_babeu32)]
pub(crate) struct Universal<'a> {
    pub(crate) count: Auto<u32>,
    #[bin(count = count)]
    pub(crate) slices: Vec<Slice>,
    #[bin(for_each = slices, at = it.at, len = it.len, align_before = 1 << it.align)]
    pub(crate) files: Vec<Thin<'a>>,
}

/// Where the file for one processor lies.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(big)]
pub(crate) struct Slice {
    pub(crate) processor: u32,
    pub(crate) model: u32,
    pub(crate) at: u32,
    pub(crate) len: u32,
    /// The file lies at a multiple of 2 to the power of this.
    #[bin(range = 0..=31)]
    pub(crate) align: u32,
}

/// A file for one processor of 64 bits.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, magic = 0xfeed_facfu32)]
pub(crate) struct Thin<'a> {
    pub(crate) processor: u32,
    pub(crate) model: u32,
    pub(crate) kind: u32,
    pub(crate) count: Auto<u32>,
    pub(crate) len: Auto<u32>,
    #[bin(pad_after = 4)]
    pub(crate) flags: u32,
    #[bin(count = count, len = len)]
    pub(crate) commands: Vec<Command>,
    /// What the commands speak of: code, data, symbols.
    #[bin(until_end)]
    pub(crate) rest: &'a [u8],
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, len = len)]
pub(crate) struct Command {
    pub(crate) kind: u32,
    pub(crate) len: Auto<u32>,
    #[bin(args(kind))]
    pub(crate) body: Body,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(tag = kind, args(kind: u32))]
pub(crate) enum Body {
    #[bin(id = 0x19)]
    Segment(Segment),
    #[bin(id = 2)]
    Symbols(Symbols),
    #[bin(id = 0x0c | 0x0d | 0x8000_0018)]
    Library(u32, Library),
    #[bin(id = 0x1b)]
    Id([u8; 16]),
    #[bin(other)]
    Other(u32, Bytes),
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
pub(crate) struct Bytes {
    #[bin(until_end)]
    pub(crate) bytes: Vec<u8>,
}

/// A part of the file that is mapped into memory.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
pub(crate) struct Segment {
    #[bin(len = 16, trim = 0)]
    pub(crate) name: String,
    pub(crate) address: u64,
    pub(crate) memory: u64,
    pub(crate) at: u64,
    pub(crate) len: u64,
    pub(crate) most: u32,
    pub(crate) first: u32,
    pub(crate) count: Auto<u32>,
    pub(crate) flags: u32,
    #[bin(count = count)]
    pub(crate) sections: Vec<Section>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
pub(crate) struct Section {
    #[bin(len = 16, trim = 0)]
    pub(crate) name: String,
    #[bin(len = 16, trim = 0)]
    pub(crate) segment: String,
    pub(crate) address: u64,
    pub(crate) len: u64,
    pub(crate) at: u32,
    pub(crate) align: u32,
    pub(crate) relocations: u32,
    pub(crate) relocation_count: u32,
    pub(crate) flags: u32,
    pub(crate) more: [u32; 3],
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
pub(crate) struct Symbols {
    pub(crate) at: u32,
    pub(crate) count: u32,
    pub(crate) names: u32,
    pub(crate) names_len: u32,
}

/// A library that is needed; its name lies behind the numbers.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little)]
pub(crate) struct Library {
    /// Counts from the start of the command, which is 8 bytes in front.
    pub(crate) name_at: u32,
    pub(crate) time: u32,
    pub(crate) version: u32,
    pub(crate) compatible: u32,
    #[bin(at = name_at - 8, base = start, nul, align_after = 8)]
    pub(crate) name: String,
}

pub(crate) const FILE: &[u8] = include_bytes!("files/zig.dylib");

fn main() -> std::process::ExitCode {
    binfmt_tool::main_or(&[binfmt_tool::format::<File<'_>>("macho")], show)
}

pub(crate) fn show() -> Result<(), Box<dyn std::error::Error>> {
    assert!(File::validate(FILE).findings().is_empty(), "{}", File::validate(FILE));
    let file = File::parse(FILE)?;
    assert_eq!(file.to_vec()?, FILE);
    let File::Thin(thin) = file else { return Err("the file is for several processors".into()) };
    let grown = grown(&thin)?;
    assert_eq!(grown.to_vec()?.len(), FILE.len());

    // Both in one file: offsets and lengths follow.
    let slice = |processor| Slice { processor, model: 3, at: 0, len: 0, align: 12 };
    let slices = vec![slice(thin.processor), slice(0x0100_000c)];
    let all = Universal { count: Auto::new(), slices, files: vec![thin, grown] };
    let bytes = File::Universal(all).to_vec()?;
    assert!(File::validate(&bytes).is_ok(), "{}", File::validate(&bytes));
    let File::Universal(read) = File::parse(&bytes)? else { return Err("it is not thin".into()) };
    assert!(read.slices.iter().all(|slice| slice.at % 4096 == 0 && slice.len == 16_639));
    Ok(())
}

/// The file with longer names of libraries, which take the fill behind the commands.
pub(crate) fn grown<'a>(thin: &Thin<'a>) -> Result<Thin<'a>, Box<dyn std::error::Error>> {
    let mut grown = thin.clone();
    for command in &mut grown.commands {
        if let Body::Library(_, library) = &mut command.body {
            println!("{}", library.name);
            library.name.insert_str(0, "/a/longer/name/of");
        }
    }
    let more = grown.to_vec()?.len() - thin.to_vec()?.len();
    let (fill, rest) = thin.rest.split_at(more);
    grown.rest = rest;
    if fill.iter().any(|byte| *byte != 0) {
        return Err("there is no space behind the commands".into());
    }
    Ok(grown)
}
