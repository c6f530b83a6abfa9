"""Opens grown copies of the examples with the libraries that know these formats."""

import gzip
import sqlite3
import struct
import sys
import tarfile
import wave
import zipfile
import zlib
from importlib.metadata import version
from pathlib import Path

import mido
from fontTools.ttLib import TTFont
from macholib.MachO import MachO
from PIL import Image

folder = Path(sys.argv[1])


def same(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: expected {expected!r}, found {found!r}")
    print(f"{what}: {found!r}")


print(f"Python {sys.version.split()[0]}, SQLite {sqlite3.sqlite_version}, "
      f"mido {version('mido')}, macholib {version('macholib')}, Pillow {version('pillow')}, fontTools {version('fonttools')}")

tune = mido.MidiFile(folder / "mido.mid")
same("name of the track", tune.tracks[0].name, "A name that is longer" * 9)
same("messages", [len(track) for track in tune.tracks], [5, 14])

with gzip.open(folder / "gnu.gz") as file:
    content = file.read()
same("content", (len(content), content[-14:]), (7423, b"one more line\n"))

# Every chunk has the checksum that zlib computes.
picture = (folder / "pillow.png").read_bytes()
at, chunks = 8, []
while at < len(picture):
    length, = struct.unpack_from(">I", picture, at)
    body, = struct.unpack_from(">I", picture, at + 8 + length)
    same(picture[at + 4:at + 8].decode(), body, zlib.crc32(picture[at + 4:at + 8 + length]))
    at += 12 + length
with Image.open(folder / "pillow.png") as image:
    image.load()
    same("texts", {key: len(text) for key, text in image.text.items()},
         {"Comment": 28, "Description": 1120})
    same("size", image.size, (8, 8))

with sqlite3.connect(folder / "python.sqlite") as database:
    same("integrity", database.execute("pragma integrity_check").fetchall(), [("ok",)])
    rows = database.execute("select * from more order by rowid desc limit 2").fetchall()
    same("last rows", rows, [(-5, "grown"), (14161000, "text 119")])

# Among rows of which some were deleted: their gaps are still those that the page tells of.
with sqlite3.connect(folder / "python-deleted.sqlite") as database:
    same("integrity", database.execute("pragma integrity_check").fetchall(), [("ok",)])
    rows = database.execute("select * from more order by rowid desc limit 2").fetchall()
    same("last rows", rows, [(-5, "grown"), (11000, "text 11")])
    database.executemany("insert into more values (?, ?)", [(n, "into a gap") for n in range(4)])
    same("integrity with more rows", database.execute("pragma integrity_check").fetchall(), [("ok",)])

with wave.open(str(folder / "python.wav")) as sound:
    same("samples", (sound.getparams()[:4], sound.readframes(99)), ((1, 1, 8000, 17), b"\x81" * 17))

with tarfile.open(folder / "gnu.tar") as archive:
    files = [member for member in archive.getmembers() if member.isfile()]
    same("files", {member.size for member in files}, {700})
    for member in files:
        same(member.name, archive.extractfile(member).read()[-3:], b"!!!")

with zipfile.ZipFile(folder / "python.zip") as archive:
    same("broken member", archive.testzip(), None)
    same("comment", archive.comment, b"another comment")

# Archives whose files have changed; what they hold is what the changes of the example gave them.
long, new = b"a text that is longer than the one that was here", b"one more file"
zeros = b"\0" * 40
for name, members in [
    ("longer.zip", {"readme.txt": long, "data/zeros.bin": zeros}),
    ("more.zip", {"readme.txt": long, "data/zeros.bin": zeros, "new.txt": new}),
    ("fewer.zip", {"readme.txt": long, "new.txt": new}),
    ("fewer-compact.zip", {"readme.txt": long, "new.txt": new}),
    ("empty.zip", {}),
]:
    with zipfile.ZipFile(folder / name) as archive:
        same(name, {member: archive.read(member) for member in archive.namelist()}, members)

library = MachO(str(folder / "zig.dylib"))
names = [name for _, _, name in library.headers[0].walkRelocatables()]
same("libraries", names, ["/a/longer/name/of/usr/lib/libSystem.B.dylib"])

# With 2 every table is compared with its checksum, and a wrong one is an error.
font = TTFont(folder / "fonttools.ttf", checkChecksums=2)
tables = [tag for tag in font.keys() if tag != "GlyphOrder"]
same("tables", [tag for tag in tables if font.getTableData(tag)], tables)
same("name of the font", str(font["name"].getName(1, 1, 0)), "A name that is longer")
same("maps", [(map.platformID, map.platEncID, map.format) for map in font["cmap"].tables],
     [(0, 3, 4), (1, 0, 6), (1, 1, 0), (3, 1, 4), (3, 10, 12)])
words = (folder / "fonttools.ttf").read_bytes()
total = sum(int.from_bytes(words[at:at + 4], "big") for at in range(0, len(words), 4))
same("sum of the file", hex(total & 0xFFFFFFFF), "0xb1b0afba")
