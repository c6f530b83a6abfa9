"""Compiles the description of every format, and compares what its reader reads on real files."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

from kaitaistruct import KaitaiStream
from io import BytesIO

sys.path.insert(0, str(Path(__file__).parent))
from compare import Comparison, trees

BINFMT, EXAMPLES, ROOT, WORK, NODE = (Path(arg) for arg in sys.argv[1:6])
CORPUS = ROOT / "tests/corpus"
FILES = ROOT / "examples/files"


def inputs(folder, endings):
    return sorted(file for file in (CORPUS / folder).glob("*") if file.suffix in endings)


FORMATS = [
    ("fatbin", [BINFMT], inputs("fatbin", [".fatbin"])),
    ("vpt", [BINFMT], inputs("vpt", [".vpt"])),
    ("pte", [BINFMT], inputs("pte", [".pte"])),
    ("ptd", [BINFMT], inputs("ptd", [".ptd"])),
    ("rten", [BINFMT], inputs("rten", [".rten"])),
    ("png", [EXAMPLES / "png"], [FILES / "pillow.png"]),
    ("wav", [EXAMPLES / "wav"], [FILES / "libsndfile.wav"]),
    ("pcap", [EXAMPLES / "pcap"], [FILES / "tcpdump.pcap", FILES / "scapy.pcap"]),
    ("zip", [EXAMPLES / "zip"], [FILES / "python.zip"]),
    ("pak", [EXAMPLES / "pak"], [FILES / "vgio.pak"]),
    ("tar", [EXAMPLES / "tar"], [FILES / "gnu.tar"]),
    ("midi", [EXAMPLES / "midi"], [FILES / "mido.mid"]),
    ("sqlite", [EXAMPLES / "sqlite"], [FILES / "python.sqlite"]),
]

# What readers must be told, for it is code or a constant of Rust: by the variant that `inspect` shows,
# and by what the formats' documents say.
TOLD = {
    "vpt": lambda tree: [tree["value"] == "Flagged"],
    "ptd": lambda tree: [48],
    "rten": lambda tree: [32],
}


def main():
    failed = False
    sys.path.insert(0, str(WORK))
    chosen = sys.argv[6:]
    for name, binfmt, files in FORMATS:
        if chosen and name not in chosen:
            continue
        export = subprocess.run([*binfmt, "export", name, "--to", "ksy"], capture_output=True, text=True)
        assert export.returncode == 0, export.stderr
        (WORK / f"{name}.ksy").write_text(export.stdout)
        unsaid = [line.removeprefix("warning: ").split(": ")[0] for line in export.stderr.splitlines()]
        compiled = subprocess.run(["node", NODE, WORK / f"{name}.ksy", WORK], capture_output=True, text=True)
        if compiled.returncode != 0:
            failed = True
            print(f"{name}: does not compile: {(compiled.stderr or compiled.stdout).strip()[:600]}")
            continue
        module = importlib.import_module(name)
        reader = getattr(module, name.capitalize())
        schema = json.loads(subprocess.run([*binfmt, "schema", "--json", name], capture_output=True).stdout)
        types = variants(schema)
        same = named = read = 0
        files = [file for file in files if is_valid(binfmt, file)]
        for file in files:
            tree = trees(binfmt, file, name if binfmt[0] == BINFMT else None)[0]
            comparison = Comparison(unsaid, types)
            try:
                stream = KaitaiStream(BytesIO(file.read_bytes()))
                told = TOLD.get(name, lambda tree: [])(tree)
                value = reader(*told, stream)
                if hasattr(value, "_read") and not value.__dict__.get("_io"):
                    value._read()
                comparison.node(tree, value, schema["root"], file.name)
            except Exception as error:
                comparison.wrong.append(f"{file.name}: {type(error).__name__}: {error}")
            read += not comparison.wrong
            same, named = same + comparison.same, named + comparison.named
            for line in comparison.wrong[:8]:
                failed = True
                print("    " + line)
        print(f"{name}: {read} of {len(files)} files, {same} values the same, {named} named as not said; {len(unsaid)} things are named")
    sys.exit(failed)


def is_valid(binfmt, file):
    """What is damaged on purpose is no question for Kaitai."""
    return subprocess.run([*binfmt, "validate", file], capture_output=True).returncode == 0


def variants(schema):
    """The types that the variants of a union may have, and theirs."""
    direct = {t["name"]: [f["nested"] for f in t["fields"] if f["nested"]] for t in schema["types"] if t["shape"] == "union"}
    found = {}
    for name in direct:
        todo, all_types = list(direct[name]), []
        while todo:
            ty = todo.pop()
            if ty not in all_types:
                all_types.append(ty)
                todo += direct.get(ty, [])
        found[name] = all_types
    return found


main()
