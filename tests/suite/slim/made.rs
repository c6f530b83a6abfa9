//! Libraries with device code, made by the compiler and linker of this machine.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use binfmt_formats::fatbin::{Container, Entry, Kind};
use binfmt_runtime::BinFormat;

use super::run;

/// An entry with a payload that no other one has.
pub(crate) fn entry(arch: u32, len: usize) -> Entry<'static> {
    let seed = usize::try_from(arch).unwrap();
    let byte = |at: usize| u8::try_from((seed * 7 + at * 13 + len) % 251).unwrap() | 1;
    let payload: Vec<u8> = (0..len).map(byte).collect();
    Entry::plain(Kind::Elf, arch, payload.leak())
}

/// One container as bytes.
pub(crate) fn container(entries: &[Entry<'static>]) -> Vec<u8> {
    Container::new(entries.to_vec().leak()).to_vec().unwrap()
}

/// A container of 128 MiB, half of it for 90.
pub(crate) fn write_big(path: &Path) {
    let file = fs::File::create(path).unwrap();
    let mut out = std::io::BufWriter::new(file);
    let half = Entry::plain(Kind::Elf, 90, vec![7; 64 << 20].leak());
    let entries = [Entry { arch: 80, ..half.clone() }, half];
    Container::new(&entries).write_to(&mut out).unwrap();
}

/// How a library is made: three containers with cubins for 75, 80, 86, 90 and 100 and PTX for 75, a
/// wrapper for each, and a function `answer`.
#[derive(Clone, Debug)]
pub(crate) struct Build {
    flags: Vec<String>,
    source: String,
    section: &'static str,
    is_cpp: bool,
    is_visible: bool,
    without: Option<usize>,
    unit: usize,
    /// What follows each container.
    behind: &'static str,
}

impl Default for Build {
    fn default() -> Self {
        Self {
            flags: Vec::new(),
            source: String::new(),
            section: ".nv_fatbin",
            is_cpp: false,
            is_visible: false,
            without: None,
            unit: 20_000,
            behind: "",
        }
    }
}

impl Build {
    pub(crate) fn flags(mut self, flags: &[&str]) -> Self {
        self.flags.extend(flags.iter().map(|flag| (*flag).to_owned()));
        self
    }

    /// With more source behind it.
    pub(crate) fn source(mut self, source: &str) -> Self {
        self.source.push_str(source);
        self
    }

    /// In C++, with an exception that is thrown and caught.
    pub(crate) fn exceptions(self) -> Self {
        Self { is_cpp: true, ..self }
    }

    /// With device code that was linked later.
    pub(crate) fn relocatable(self) -> Self {
        Self { section: "__nv_relfatbin", ..self }
    }

    /// With symbols of containers that others see.
    pub(crate) fn visible(self) -> Self {
        Self { is_visible: true, ..self }
    }

    pub(crate) fn without_wrapper(self, index: usize) -> Self {
        Self { without: Some(index), ..self }
    }

    /// With more assembler text behind each container.
    pub(crate) fn behind(self, behind: &'static str) -> Self {
        Self { behind, ..self }
    }

    /// With little device code.
    pub(crate) fn small(self) -> Self {
        Self { unit: 3000, ..self }
    }

    fn containers(&self) -> Vec<Vec<u8>> {
        let one = |index: usize| {
            let len = self.unit + 800 * index;
            let mut entries: Vec<_> = [75, 80, 86, 90, 100].map(|arch| entry(arch, len)).to_vec();
            let ptx = Entry::plain(Kind::Ptx, 75, entry(75, len / 2).payload);
            entries.push(ptx);
            container(&entries)
        };
        (0..3).map(one).collect()
    }

    fn text(&self, dir: &Path) -> String {
        let extern_c = if self.is_cpp { "extern \"C\"" } else { "extern" };
        let hidden = if self.is_visible { "" } else { "__attribute__((visibility(\"hidden\")))" };
        let mut text = String::new();
        for index in 0..3 {
            let path = dir.join(format!("{index}.fatbin"));
            let global =
                if self.is_visible { format!(".globl fat{index}\\n") } else { String::new() };
            let _ = write!(
                text,
                "__asm__(\".pushsection {},\\\"a\\\"\\n.balign 8\\n{global}fat{index}:\\n.incbin \\\"{}\\\"\\n\
                 .balign 8\\n{}.popsection\\n\");\n{extern_c} const char fat{index}[] {hidden};\n",
                self.section,
                path.display(),
                self.behind,
            );
        }
        let wrappers: Vec<_> = (0..3).filter(|index| Some(*index) != self.without).collect();
        let items: Vec<_> =
            wrappers.iter().map(|index| format!("{{0x466243b1, 1, fat{index}, 0}}")).collect();
        let _ = write!(
            text,
            "struct wrapper {{ int magic, version; const void *data; void *more; }};\n\
             __attribute__((section(\".nvFatBinSegment\"), used)) static struct wrapper all[] = {{{}}};\n",
            items.join(", ")
        );
        let (thread, throws) = if self.is_cpp {
            ("thread_local", "try { throw *x; } catch (int) { got = 40; }")
        } else {
            ("static __thread", "got = 40;")
        };
        let export = if self.is_cpp { "extern \"C\" " } else { "" };
        let _ = write!(
            text,
            "{thread} int mine = 7;\nstatic const int table[20000] = {{1, 2, 3}};\n\
             {export}int answer(int *x) {{ int got = 0; {throws} return got + mine + table[9999]; }}\n\
             {export}int count(void) {{ return sizeof(all) / sizeof(*all); }}\n\
             {export}const void *data(int i) {{ return all[i].data; }}\n"
        );
        text + &self.source
    }

    fn compiled(&self, arguments: &[&str]) -> Option<Vec<u8>> {
        let dir = tempfile::tempdir().unwrap();
        for (index, bytes) in self.containers().into_iter().enumerate() {
            fs::write(dir.path().join(format!("{index}.fatbin")), bytes).unwrap();
        }
        let source = dir.path().join(if self.is_cpp { "a.cpp" } else { "a.c" });
        fs::write(&source, self.text(dir.path())).unwrap();
        let to = dir.path().join("out");
        let compiler = if self.is_cpp { "c++" } else { "cc" };
        let mut command = Command::new(compiler);
        command.args(["-fPIC", "-O1"]).args(arguments).args(&self.flags);
        let output = run(command.arg("-o").arg(&to).arg(&source))?;
        output.status.success().then(|| fs::read(&to).unwrap())
    }

    /// A shared library, if this machine can make it.
    pub(crate) fn library(&self) -> Option<Vec<u8>> {
        self.compiled(&["-shared"])
    }

    /// An object file.
    pub(crate) fn object(&self) -> Option<Vec<u8>> {
        self.compiled(&["-c"])
    }

    /// A program that can lie anywhere.
    pub(crate) fn program(self) -> Option<Vec<u8>> {
        self.source("int main(void) { return 0; }").compiled(&["-pie"])
    }
}

/// An object file of some source.
pub(crate) fn object_of(source: &str) -> Vec<u8> {
    let dir = tempfile::tempdir().unwrap();
    let (from, to) = (dir.path().join("a.c"), dir.path().join("a.o"));
    fs::write(&from, source).unwrap();
    let output = run(Command::new("cc").args(["-fPIC", "-c", "-o"]).arg(&to).arg(&from));
    assert!(output.is_some_and(|output| output.status.success()));
    fs::read(&to).unwrap()
}

/// A library of an object file.
pub(crate) fn linked(object: &[u8]) -> Option<Vec<u8>> {
    linked_with(&[], "a.o", object)
}

/// A library of a file for the linker.
pub(crate) fn linked_with(flags: &[&str], name: &str, file: &[u8]) -> Option<Vec<u8>> {
    let dir = tempfile::tempdir().unwrap();
    let (from, to) = (dir.path().join(name), dir.path().join("out"));
    fs::write(&from, file).unwrap();
    let mut command = Command::new("cc");
    command.arg("-shared").args(flags).arg("-o").arg(&to).arg(&from);
    let output = run(command.arg("-Wl,--no-whole-archive"))?;
    output.status.success().then(|| fs::read(&to).unwrap())
}

/// What a tool makes of a file; `None` where there is no such tool.
pub(crate) fn changed_by(tool: &[&str], file: &[u8]) -> Option<Vec<u8>> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("out");
    fs::write(&path, file).unwrap();
    let output = run(Command::new(tool[0]).args(&tool[1..]).arg(&path))?;
    assert!(output.status.success(), "{tool:?}: {}", String::from_utf8_lossy(&output.stderr));
    Some(fs::read(&path).unwrap())
}

/// `readelf` has nothing to warn of.
pub(crate) fn readelf_is_quiet(file: &[u8], name: &str) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("out");
    fs::write(&path, file).unwrap();
    if let Some(output) = run(Command::new("readelf").args(["-aW"]).arg(&path)) {
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && told.is_empty(), "{name}: {told}");
    }
}

/// Loads a library, calls it, and goes through its containers in memory.
const LOADER: &str = r#"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <stdint.h>
int main(int count, char **paths) {
    void *library = dlopen(paths[1], RTLD_NOW);
    if (!library) { printf("%s\n", dlerror()); return 1; }
    int (*answer)(int *) = (int (*)(int *))dlsym(library, "answer");
    int (*wrappers)(void) = (int (*)(void))dlsym(library, "count");
    const unsigned char *(*data)(int) = (const unsigned char *(*)(int))dlsym(library, "data");
    int got = 0, total = wrappers(), entries = 0;
    printf("answer %d, ", answer(&got));
    for (int i = 0; i < total; i++) {
        const unsigned char *at = data(i);
        uint64_t size; memcpy(&size, at + 8, 8);
        if (memcmp(at, "\x50\xed\x55\xba", 4)) { printf("no container\n"); return 1; }
        entries = 0;
        for (const unsigned char *entry = at + 16; entry < at + 16 + size; entries++) {
            uint32_t header; uint64_t payload;
            memcpy(&header, entry + 4, 4); memcpy(&payload, entry + 8, 8);
            entry += header + payload;
        }
    }
    printf("%d containers of %d entries\n", total, entries);
    return 0;
}
"#;

/// What the loader says about a library.
pub(crate) fn loaded(library: &[u8]) -> String {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("libmade.so");
    fs::write(&path, library).unwrap();
    let output = Command::new(loader()).arg(&path).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() { said } else { format!("{}: {said}", output.status) }
}

/// The loader, built once.
fn loader() -> &'static Path {
    static LOADER_PATH: std::sync::OnceLock<std::path::PathBuf> = std::sync::OnceLock::new();
    LOADER_PATH.get_or_init(|| {
        let dir = tempfile::tempdir().unwrap().keep();
        let (from, to) = (dir.join("loader.c"), dir.join("loader"));
        fs::write(&from, LOADER).unwrap();
        let output = Command::new("cc").arg("-o").arg(&to).arg(&from).arg("-ldl").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        to
    })
}
