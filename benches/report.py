#!/usr/bin/env python3
"""Draws the plots and fills the tables of BENCHMARKS.md and README.md from results/.

What stands between `<!-- name -->` and `<!-- /name -->` is replaced.
"""

import os
import platform
import re
import subprocess
from datetime import date

import plots
import targets
from results import HERE, PRODUCTS, Races, scaling

ROOT = HERE.parent
MB = 1 << 20


def number(value, digits=2):
    if value is None:
        return ""
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.{digits}f}" if value >= 0.1 or value == 0 else f"{value:.2g}"


def table(head, body, left=1):
    lines = ["| " + " | ".join(head) + " |"]
    lines.append("|" + "|".join(["---"] * left + ["---:"] * (len(head) - left)) + "|")
    lines += ["| " + " | ".join(row) + " |" for row in body]
    return "\n".join(lines)


def product_section(races, product, title):
    names = [name for name in races.contestants(product) if name != "hand"]
    head = ["task", "hand, ns"] + [f"{name}" for name in names]
    head += ["instructions: hand", "derived", "times"]
    body = []
    for task in races.tasks(product):
        unit, count = races.units.get(task, ("", 0))
        times = [number(races.get(task, product, name, "times")) for name in names]
        hand, derived = (
            races.get(task, product, name, "instructions") for name in ("hand", "derived")
        )
        ratio = races.ratio(task, product, "derived", "hand", "instructions")
        row = [f"{task}, {count:,} × {unit}" if count != 1 else task]
        row += [number(races.get(task, product, "hand", "ns")), *times]
        body.append(row + [number(hand, 1), number(derived, 1), number(ratio)])
    return f"### {title}\n\n{table(head, body)}\n\n![{title}](benches/results/{product}.svg)\n"


def races_text(races):
    return "\n".join(
        product_section(races, product, title)
        for product, title in PRODUCTS.items()
        if races.tasks(product)
    )


def allocations_text(races):
    head = ["task", "product", "contestant", "allocations per unit"]
    body = []
    for (task, product, name), cell in races.cells.items():
        if product in ("read", "is_valid", "own") and cell.get("allocations") is not None:
            if name == "derived" or cell["allocations"] > 0.01:
                body.append([task, product, name, number(cell["allocations"])])
    return table(head, body, left=3)


def lost_text(races):
    """Where another contestant is faster than the derived product."""
    body = []
    for (task, product, name), cell in races.cells.items():
        ours = races.get(task, product, "derived", "ns")
        if name == "hand" or name.startswith("derived") or ours is None or cell.get("ns") is None:
            continue
        # `zerocopy` and hand-written validators are no lists of findings; nothing else is left out.
        if ours > cell["ns"] * 1.02:
            body.append([task, product, name, number(ours / cell["ns"])])
    body.sort(key=lambda row: -float(row[3].replace(",", "")))
    if not body:
        return "No other crate was faster than the derived product in any race of this run."
    return table(["task", "product", "faster contestant", "derived takes so many times as long"], body, left=3)


def scaling_text():
    series = scaling()
    parts = []
    counts = sorted({x for name in ("read", "own", "validate") for x, _ in series.get(name, [])})
    if counts:
        head = ["nanoseconds per entry"] + [f"{count:,.0f}" for count in counts]
        body = []
        for name in ("hand-read", "read", "hand-is_valid", "is_valid", "own", "validate", "write"):
            values = dict(series.get(name, []))
            label = f"{name[5:]}, by hand" if name.startswith("hand-") else name
            body.append([label] + [number(values.get(count)) for count in counts])
        parts.append(table(head, body))
        parts.append("![Cost per entry](benches/results/entries.svg)")
    spent = {name: series.get(f"{name}-instructions", []) for name in ("read", "is_valid")}
    if all(spent.values()):
        head = ["instructions per entry"] + [f"{count:,.0f}" for count, _ in spent["read"]]
        body = [[name] + [number(value, 1) for _, value in points] for name, points in spent.items()]
        parts.append(table(head, body))
    sizes = [x for x, _ in series.get("list-seconds", [])]
    if sizes:
        head = ["sparse file of"] + [f"{size / MB:,.0f} MiB" for size in sizes]
        body = []
        for what in ("list", "validate"):
            seconds, peak = dict(series[f"{what}-seconds"]), dict(series[f"{what}-peak"])
            body.append([f"`{what}`, ms"] + [number(seconds[size] * 1000, 1) for size in sizes])
            body.append([f"`{what}`, peak MiB"] + [number(peak[size] / MB, 1) for size in sizes])
        parts.append(table(head, body))
        parts.append("![Cost of large files](benches/results/sizes.svg)")
    head, body = ["on so many threads", "seconds", "cores in use", "peak MiB"], []
    for what in ("extract", "scan"):
        cores, peaks = dict(series.get(f"{what}-cores", [])), dict(series.get(f"{what}-peak", []))
        for threads, seconds in series.get(f"{what}-seconds", []):
            row = [f"`{what}`, {threads:.0f}", number(seconds, 3), number(cores[threads])]
            body.append(row + [number(peaks[threads] / MB, 1)])
    if body:
        parts.append(table(head, body))
    speeds = series.get("zstd", [])
    if speeds:
        head = ["zstd payload of"] + [f"{size / 1024:,.0f} KiB" for size, _ in speeds]
        parts.append(table(head, [["speed, in terms of the crate"] + [number(speed) for _, speed in speeds]]))
    return "\n\n".join(parts)


def cublas_text():
    values = {name: points[-1][1] for name, points in scaling("cublas").items()}
    if not values:
        return "Not measured on this machine yet: run `scripts/bench-cublas`."
    body = [
        ["listing all entries", f"{values['walk-hand'] * 1e6:,.1f} µs by hand",
         f"{values['walk-derived'] * 1e6:,.1f} µs", f"{values['walk-ratio']:.2f} times"],
        ["scanning the whole library", f"{values['memmem'] * 1e3:,.1f} ms for a plain `memmem`",
         f"{values['scan'] * 1e3:,.1f} ms", f"{values['scan-ratio']:.2f} of its speed"],
    ]
    return table([f"{values['entries']:,.0f} entries", "measure", "derived", ""], body)


def machine_text():
    def told(*args):
        try:
            return subprocess.run(args, capture_output=True, text=True, check=True).stdout.strip()
        except (OSError, subprocess.CalledProcessError):
            return ""

    cpu = re.search(r"model name\s*: (.*)", open("/proc/cpuinfo").read())
    memory = re.search(r"MemTotal:\s*(\d+)", open("/proc/meminfo").read())
    lock = (HERE / "Cargo.lock").read_text()
    names = ["binrw", "deku", "zerocopy", "scroll", "winnow", "flatbuffers", "rten-model-file", "fatbinary", "zstd", "memchr"]
    versions = {
        name: re.findall(rf'name = "{name}"\nversion = "([^"]+)"', lock) for name in names
    }
    lines = [
        f"- {date.today().isoformat()}, {cpu[1] if cpu else platform.machine()}, {os.cpu_count()} cores, "
        f"{int(memory[1]) / MB:.0f} GiB of memory, {platform.system()} {platform.release()}",
        f"- {told('rustc', '--version')}, `opt-level = 3`, thin LTO, one codegen unit; {told('valgrind', '--version')}",
        "- " + ", ".join(f"{name} {' and '.join(found)}" for name, found in versions.items() if found),
    ]
    return "\n".join(lines)


def readme_text(races):
    head = ["file", "", "ns per entry", "times hand-written", "instructions per entry", "allocations per entry"]
    body = []
    titles = {"records": "records of 32 bytes", "vpt": "Venice Program Table", "fatbin": "fat binary"}
    for task, title in titles.items():
        if task not in races.units:
            continue
        title = f"{title}, {races.units[task][1]:,} entries"
        for product, names in [("read", ["hand", "derived"]), ("own", ["derived", "binrw", "deku"])]:
            for name in names:
                hand = races.get(task, "read", "hand", "ns")
                ns = races.get(task, product, name, "ns")
                label = {"hand": "hand-written"}.get(name, name) + (", owned" if product == "own" else "")
                allocations = number(races.get(task, product, name, "allocations"), 0)
                instructions = number(races.get(task, product, name, "instructions"), 0)
                times = number(ns / hand) if ns and hand else ""
                body.append([title, label, number(ns), times, instructions, allocations])
                title = ""
    return table(head, body, left=2)


def draw(races):
    out = HERE / "results"
    for product, title in PRODUCTS.items():
        if product == "validate":
            continue
        names = races.contestants(product)
        groups = []
        for task in races.tasks(product):
            times = {name: races.get(task, product, name, "times") for name in names if name != "hand"}
            groups.append((task, {name: time for name, time in times.items() if time}))
        save(out / f"{product}.svg", plots.bars(f"{title}: times what hand-written code takes", groups, names))
    groups = [(task, {"derived": races.get(task, "validate", "derived", "ns")}) for task in races.tasks("validate")]
    hand = {task: races.get(task, "validate", "hand", "ns") for task, _ in groups}
    groups = [(task, {"derived": bar["derived"] / hand[task]}) for task, bar in groups if hand[task] and task not in ("records", "payload")]
    save(out / "validate.svg", plots.bars("List all violations: times a hand-written yes or no", groups, ["hand", "derived"]))
    series = scaling()
    products = {name: series[name] for name in ("hand-read", "read", "own", "is_valid", "validate", "write") if name in series}
    save(out / "entries.svg", plots.curves("Cost per entry of a Venice Program Table", products, "entries", "nanoseconds"))
    sizes = {name: [(size, seconds * 1000) for size, seconds in series.get(f"{name}-seconds", [])] for name in ("list", "validate")}
    sizes = {name: points for name, points in sizes.items() if points}
    save(out / "sizes.svg", plots.curves("Whole run of the program on a sparse file", sizes, "bytes", "milliseconds"))


def save(path, drawn):
    if drawn:
        path.write_text(drawn)


def fill(path, texts):
    document = path.read_text()
    for name, text in texts.items():
        pattern = re.compile(rf"(<!-- {name} -->\n)(?:.*?\n)?(<!-- /{name} -->)", re.DOTALL)
        document = pattern.sub(lambda found: f"{found[1]}{text.strip()}\n{found[2]}", document)
    path.write_text(document)


def main():
    races = Races()
    draw(races)
    texts = {
        "machine": machine_text(),
        "targets": targets.text(races, scaling(), scaling("cublas")),
        "races": races_text(races),
        "allocations": allocations_text(races),
        "lost": lost_text(races),
        "scaling": scaling_text(),
        "cublas": cublas_text(),
    }
    fill(ROOT / "BENCHMARKS.md", texts)
    fill(ROOT / "README.md", {"speed": readme_text(races)})


if __name__ == "__main__":
    main()
