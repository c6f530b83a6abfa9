"""Makes files that are hard to show: large ones, damaged ones, and one that means harm."""

import struct
import sys
from pathlib import Path


def vpt(programs, out):
    """A Venice Program Table, written bit by bit; payloads may be a length."""
    size = 24 + sum(8 + length(body) + len(name) + -(length(body) + len(name)) % 8 for name, body in programs)
    out.write(struct.pack("<6I", 0x675C3ED9, 0, 1, 0x11235813, size, len(programs)))
    for name, body in programs:
        out.write(struct.pack("<2I", len(name), length(body)))
        if isinstance(body, int):
            block = bytes(range(256)) * 4096
            for start in range(0, body, len(block)):
                out.write(block[: body - start])
        else:
            out.write(body)
        out.write(name + bytes(-(length(body) + len(name)) % 8))


def length(body):
    return body if isinstance(body, int) else len(body)


def main(folder):
    harm = [
        b"</script><script>window.hacked=1</script>",
        b"<img src=x onerror=window.hacked=1>",
        "\u202etxt.exe\u2066 \u200b\U000e0041".encode(),
        b"\x1b[2J\x00\x7f\"'`&amp;{{}}",
        b"]]><!--" + b"x" * 5000,
        b"__proto__",
        b"\xff\xfe not UTF-8",
    ]
    with open(folder / "harm.vpt", "wb") as out:
        vpt([(name, b"payload") for name in harm], out)
    small = [(b"program %d" % at, b"%08d" % at) for at in range(20000)]
    with open(folder / "many.vpt", "wb") as out:
        vpt(small, out)
    many = bytearray((folder / "many.vpt").read_bytes())
    # The length of the name of the 12,001st entry; all entries have 32 bytes.
    at = 24 + 32 * 12_000
    many[at : at + 4] = b"\xff\xff\xff\x7f"
    (folder / "many-damaged.vpt").write_bytes(many)
    if "large" in sys.argv:
        with open(folder / "large.vpt", "wb") as out:
            vpt([(b"first", 300_000_000), *small * 5, (b"last", 190_000_000)], out)
        with open(folder / "zeros.fatbin", "wb") as out:
            out.truncate(100_000_000)


main(Path(sys.argv[1]))
