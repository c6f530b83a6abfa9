"""Programs that binfmt rewrote and changed: they load, and compute the same."""

import json
import os
import shutil

from executorch.exir._serialize._program import deserialize_pte_binary, serialize_pte_binary

from reference import apart, binfmt, contents_of_program, run


def with_data(corpus, name):
    """The `.ptd` that a program of the corpus wants, if there is one."""
    folder = os.path.join(os.path.dirname(corpus), "ptd")
    stem = name.removesuffix(".pte")
    fitting = [file for file in sorted(os.listdir(folder)) if file.startswith(stem + ".")]
    return os.path.join(folder, fitting[0]) if fitting else None


def segments(path, folder):
    """Options that put the bytes of every segment into it again."""
    out = os.path.join(folder, "segments")
    shutil.rmtree(out, ignore_errors=True)
    items = json.loads(binfmt("list", "--json", path))["items"]
    items = [item for item in items if item["kind"] == "segment"]
    if not items:
        return []
    binfmt("extract", path, "-o", out, "--filter", "*.segments[*")
    options = []
    for index, item in enumerate(items):
        options += ["--segment", f"{index}={os.path.join(out, item['file_name'])}"]
    return options


def edits(path, folder):
    """Every way to change a program, by name."""
    note = os.path.join(folder, "note")
    with open(note, "wb") as file:
        file.write(b"a note of 23 bytes, odd")
    first, second = os.path.join(folder, "put.pte"), os.path.join(folder, "edited.pte")

    def edit(source, *changes):
        binfmt("edit", source, "-o", second, *changes)
        return second

    def put_and_dropped():
        binfmt("edit", path, "-o", first, "--add", "--put", f"metadata.note={note}")
        return edit(first, "--drop", "metadata.note")

    yield "aligned to 16", lambda: edit(path, "--align", "16")
    yield "aligned to 4096", lambda: edit(path, "--align", "4096")
    if replaced := segments(path, folder):
        yield "every segment replaced by equal bytes", lambda: edit(path, *replaced)
    yield "data added", lambda: edit(path, "--add", "--put", f"metadata.note={note}")
    yield "data added and dropped", put_and_dropped
    yield "upgraded", lambda: edit(path, "--upgrade")
    yield "upgraded and aligned to 64", lambda: edit(path, "--upgrade", "--align", "64")


def by_reference(path, folder):
    """The same program, written again by the Python writer: its constants are in a segment."""
    with open(path, "rb") as file:
        program = deserialize_pte_binary(file.read())
    out = os.path.join(folder, "reference.pte")
    with open(out, "wb") as file:
        file.write(bytes(serialize_pte_binary(program, extract_delegate_segments=True)))
    return out


def check(corpus, folder, report):
    names = [name for name in sorted(os.listdir(corpus)) if name.endswith(".pte")]
    print(f"\nPrograms: {len(names)} files, each changed in up to seven ways")
    for name in names:
        path, extra = os.path.join(corpus, name), with_data(corpus, name)
        rewritten = os.path.join(folder, "rewritten.pte")
        binfmt("rewrite", path, "-o", rewritten)
        with open(path, "rb") as old, open(rewritten, "rb") as new:
            report.compare(f"{name} rewritten", old.read(), new.read())
        original = run(path, extra)
        report.compare(f"{name} rewritten", original, run(rewritten, extra))
        # What the runtime refuses for its inline constants, the Python writer can bring up to date.
        outdated = original[0] == "refused" and "constant_buffer" in original[1]
        reference = run(by_reference(path, folder), extra) if outdated else original
        contents = apart(contents_of_program, path)
        done = []
        for what, make in edits(path, folder):
            made = make()
            expected = reference if "upgraded" in what else original
            same = report.compare(f"{name} {what}", expected, run(made, extra))
            found = apart(contents_of_program, made)
            if what == "data added" and contents[0] == found[0] == "ok":
                same &= report.compare(f"{name} {what}, key", True, "metadata.note" in found[1]["named"])
                found[1]["named"].pop("metadata.note", None)
            same &= report.compare(f"{name} {what}, read back", contents, found)
            if same:
                done.append(what)
        tell(name, original, reference, outdated, extra, done)


def tell(name, original, reference, outdated, extra, done):
    ran = reference if outdated else original
    if ran[0] == "ok":
        verdict = f"runs {', '.join(ran[1])}"
    else:
        verdict = f"the original does not run either ({ran[1]})"
    if outdated:
        verdict = f"the original is refused for its inline constants; upgraded by the reference or by binfmt it {verdict}"
    if extra:
        verdict += f", with {os.path.basename(extra)}"
    print(f"{name}: {verdict}; equal: {', '.join(done)}")
