"""Compares what a reader made by Kaitai reads with what `binfmt inspect --json` says.

Every value that the description has must be the same, and every value that it has not must be named
on standard error by `export`, as `Type.field`.
"""

import enum
import json
import re
import struct
import subprocess
import sys

# What Kaitai puts around a value: a list of so many bytes, the body of a type, a choice.
AROUND = ("body", "value", "items", "item")
TAKEN = {"and", "as", "class", "def", "del", "elif", "else", "except", "false", "for", "from", "global", "if",
         "import", "in", "is", "lambda", "none", "not", "or", "pass", "raise", "return", "str", "strz", "true",
         "try", "while", "with", "yield", "break", "continue", "bool", "self"}


class Missing(Exception):
    pass


def ident(name):
    return name + "_" if name in TAKEN else name


def type_name(ty):
    """The declared type in a Rust type: `Option<Seq<'a, Entry<'a>>>` is Entry."""
    names = re.findall(r"[A-Z]\w*", re.sub(r"'\w+", "", ty))
    kept = [n for n in names if n not in ("Option", "Seq", "Vec", "Box", "Lazy", "Auto", "FbRef", "FbVec", "FlatBuffer", "Placed", "Cow")]
    return kept[0] if kept else ""


class Comparison:
    def __init__(self, unsaid, types):
        self.unsaid, self.types = unsaid, types
        self.same = self.named = 0
        self.wrong = []

    def find(self, value, name):
        """A field of a value, through what stands around it."""
        seen = 0
        while value is not None and seen < 6:
            attribute = getattr(type(value), ident(name), None)
            if attribute is not None or ident(name) in getattr(value, "__dict__", {}):
                return getattr(value, ident(name))
            inner = None
            for around in AROUND:
                if around in getattr(value, "__dict__", {}) or isinstance(getattr(type(value), around, None), property):
                    inner = getattr(value, around)
                    if inner is not None and not isinstance(inner, (int, float, bytes, str)):
                        break
            value, seen = inner, seen + 1
        raise Missing(name)

    def plain(self, value):
        """A number, bytes or text, without what stands around it."""
        seen = 0
        while not isinstance(value, (int, float, bytes, str, list, type(None), enum.Enum)) and seen < 6:
            for around in AROUND:
                if hasattr(value, around):
                    value = getattr(value, around)
                    break
            else:
                break
            seen += 1
        return value

    def items(self, value):
        value = self.plain(value)
        return value if isinstance(value, list) else None

    def is_named(self, owner, name):
        return f"{owner}.{name}" in self.unsaid

    def node(self, node, value, owner, path):
        """Compares one field; `owner` is the declared type that its children are fields of."""
        children = node.get("children", [])
        expected = node["value"]
        if children and children[0]["name"].startswith("["):
            items = self.items(value)
            if items is None or len(items) != len(children):
                self.wrong.append(f"{path}: {len(children)} items, not {items if items is None else len(items)}")
                return
            for child, item in zip(children, items):
                self.node(child, item, owner, path + child["name"])
            return
        for child in children:
            name = child["name"]
            if name == "":
                self.node(child, value, type_name(child["type"]) or owner, path)
                continue
            if name == "padding" and child["type"] == "" or child["type"] == "" and name in ("nul", "prefix", "gap"):
                continue
            place = f"{path}.{name}"
            if name == "magic" and child["type"] == "":
                # Kaitai compares constants when it reads, else nothing would have been read.
                self.same += 1
                continue
            # The variants of a union have fields of their own types.
            owners = [owner] + self.types.get(owner, [])
            try:
                found = self.find(value, name)
            except Missing:
                if any(self.is_named(o, name) for o in owners):
                    self.named += 1
                elif child["value"] is None and not child.get("children"):
                    # A name for nothing: an empty choice or an absent field.
                    pass
                else:
                    self.wrong.append(f"{place}: not there, and not named ({owners})")
                continue
            except Exception as error:
                self.wrong.append(f"{place}: {type(error).__name__}: {error}")
                continue
            if any(f"{o}.{name}" in self.unsaid for o in owners):
                self.named += 1
                continue
            self.node(child, found, type_name(child["type"]) or name, place)
        if children:
            return
        self.leaf(expected, value, node, path)

    def leaf(self, expected, value, node, path):
        value = self.plain(value)
        if isinstance(value, enum.Enum):
            value = value.value
        if isinstance(expected, dict) and "value" in expected:
            expected = expected["value"]
        if isinstance(expected, dict) and "hex" in expected:
            value, expected = value[: len(expected["hex"]) // 2] if len(value) == int(expected["len"]) else value, expected["hex"]
        if isinstance(value, bytes) and isinstance(expected, str):
            value = value.hex()
        if isinstance(expected, bool):
            value = bool(value)
        if isinstance(expected, str) and isinstance(value, (int, float)) and not isinstance(value, bool):
            value = str(value) if isinstance(value, int) else value
            expected = float(expected) if isinstance(value, float) else expected
        if isinstance(value, float) and isinstance(expected, (int, float)):
            same = value == expected or struct.pack("<f", value) == struct.pack("<f", expected)
        elif expected is None:
            # An absent value, or one that is only what is in it.
            same = value is None or not isinstance(value, (int, str)) or node["end"] == node["start"]
        elif expected == 0 and isinstance(value, list):
            same = not value
        else:
            same = value == expected
        if same:
            self.same += 1
        else:
            self.wrong.append(f"{path}: {expected!r} in inspect, {value!r} in Kaitai")


def trees(binfmt, file, fmt):
    out = subprocess.run([*binfmt, "inspect", "--json", "--no-decode", *(["--format", fmt] if fmt else []), file], capture_output=True)
    return [json.loads(line) for line in out.stdout.splitlines()]
