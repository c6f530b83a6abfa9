"""Calls `binfmt slim`."""

import os
import pathlib
import subprocess
import tempfile

BINFMT = os.environ.get("BINFMT", "binfmt")


def slim_file(source, target, keep, *options):
    """Slims a file; the last line that it says, and whether there is a new file."""
    command = [BINFMT, "slim", source, "--keep", keep, "-o", target, "--force", *options]
    run = subprocess.run(command, capture_output=True, text=True)
    lines = (run.stdout.strip() or run.stderr.strip()).splitlines()
    return run.returncode, lines[-1] if lines else ""


def slim(data, keep, *options):
    """The bytes of a slimmed container; the old ones where nothing is to do."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = pathlib.Path(folder, "a.fatbin"), pathlib.Path(folder, "b.fatbin")
        source.write_bytes(data)
        code, said = slim_file(source, target, keep, *options)
        if code not in (0, 3):
            print(f"    {keep}: {said}")
        return target.read_bytes() if target.exists() else data
