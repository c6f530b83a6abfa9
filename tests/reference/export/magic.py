"""Gives the magics of every format to `file`, and asks what the files of all formats are."""

import subprocess
import sys
from pathlib import Path

BINFMT, EXAMPLES, ROOT, WORK = (Path(arg) for arg in sys.argv[1:5])
FILES = ROOT / "examples/files"
OF = {
    "fatbin": [BINFMT, "fatbin/*.fatbin"],
    "vpt": [BINFMT, "vpt/*.vpt"],
    "pte": [BINFMT, "pte/*.pte"],
    "ptd": [BINFMT, "ptd/*.ptd"],
    "rten": [BINFMT, "rten/*.rten"],
    "png": [EXAMPLES / "png", "pillow.png"],
    "wav": [EXAMPLES / "wav", "libsndfile.wav"],
    "pcap": [EXAMPLES / "pcap", "*.pcap"],
    "pak": [EXAMPLES / "pak", "vgio.pak"],
    "midi": [EXAMPLES / "midi", "*.mid"],
    "sqlite": [EXAMPLES / "sqlite", "*.sqlite"],
}
# Nothing at a fixed place tells these from other files: their directory lies at the end, or version 1
# begins with an offset.
WITHOUT = {"zip": EXAMPLES / "zip", "tar": EXAMPLES / "tar"}


def said(magic, file):
    out = subprocess.run(["file", "-b", "-m", magic, file], capture_output=True, text=True)
    assert not out.stderr, out.stderr
    return out.stdout.strip()


failed = False
magics, files = {}, {}
for name, (program, pattern) in OF.items():
    made = subprocess.run([program, "export", name, "--to", "magic"], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    magics[name] = WORK / f"{name}.magic"
    magics[name].write_text(made.stdout)
    checked = subprocess.run(["file", "-C", "-m", magics[name]], capture_output=True, text=True, cwd=WORK)
    assert checked.returncode == 0 and not checked.stderr, (name, checked.stderr)
    folder = ROOT / "tests/corpus" if "/" in pattern else FILES
    files[name] = sorted(folder.glob(pattern))
for name, program in WITHOUT.items():
    made = subprocess.run([program, "export", name, "--to", "magic"], capture_output=True, text=True)
    ok = made.returncode in (0, 1) and (made.returncode == 0) == bool(made.stdout)
    failed |= not ok
    print(f"{name}: {(made.stderr or made.stdout).strip().splitlines()[-1]}")
for name, magic in magics.items():
    known = [file for file in files[name] if said(magic, file).startswith(f"{name}:")]
    foreign = [file for other in files if other != name for file in files[other]]
    taken = [file for file in foreign if said(magic, file).startswith(f"{name}:")]
    missed = [file.name for file in files[name] if file not in known]
    print(f"{name}: {len(known)} of {len(files[name])} files known, {len(taken)} of {len(foreign)} others; {said(magic, files[name][0])}")
    if missed:
        print(f"    not known: {', '.join(missed[:20])}")
    # Version 1 of RTen begins with an offset, and the magic file says so.
    failed |= bool(taken) or bool(missed) and name != "rten"
sys.exit(failed)
