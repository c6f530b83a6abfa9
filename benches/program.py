#!/usr/bin/env python3
"""Runs commands and prints what each took: time, processor time and memory of its own.

benches/program.py COMMAND...

Memory is what /proc says is anonymous, looked at every 2 ms: pages of a mapped file are not counted, for
the system takes them back whenever it wants to. Output goes nowhere.
"""
import re
import resource
import shlex
import subprocess
import sys
import time


def anonymous(pid):
    """The anonymous memory of a process, in KiB."""
    try:
        with open(f"/proc/{pid}/smaps_rollup") as rollup:
            return int(re.search(r"Anonymous:\s+(\d+)", rollup.read()).group(1))
    except (OSError, AttributeError):
        return 0


def run(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    nowhere = subprocess.DEVNULL
    process = subprocess.Popen(shlex.split(command), stdout=nowhere, stderr=nowhere)
    most = 0
    while process.poll() is None:
        most = max(most, anonymous(process.pid))
        time.sleep(0.002)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"| `{command}` | {wall:.2f} s | {cpu:.2f} s | {most / 1024:.1f} MiB |", flush=True)


print("| command | time | processor | memory |\n|---|---|---|---|")
for command in sys.argv[1:]:
    run(command)
