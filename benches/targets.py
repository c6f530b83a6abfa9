"""What was promised, and what this run says about it."""

TWENTY_MB = 20e6


def checks(races, series, cublas):
    """Pairs of what is asked and (measured, limit, whether less is better)."""
    for product in ("read", "is_valid"):
        for task in races.tasks(product):
            # A few nanoseconds for a whole file are below what a clock tells.
            if (races.get(task, product, "hand", "ns") or 0) * races.units[task][1] < 20:
                continue
            time = races.ratio(task, product, "derived", "hand", "ns")
            yield f"{product} of {task}: time, times hand-written", time, 1.1, True
            spent = races.ratio(task, product, "derived", "hand", "instructions")
            yield f"{product} of {task}: instructions, times hand-written", spent, 1.5, True
    faster = [
        ("records", "own", "binrw", 4.0),
        ("records", "own", "deku", 7.0),
        ("union", "own", "binrw", 50.0),
        ("union", "own", "binrw-structs", 50.0),
        *((task, "write", "binrw", 2.0) for task in races.tasks("write")),
    ]
    for task, product, name, limit in faster:
        ratio = races.ratio(task, product, name, "derived", "ns")
        if ratio is not None:
            what = f"{product} of {task}: times faster than {name}"
            lean = races.ratio(task, product, f"{name}-lean", "derived", "ns")
            beside = f", {lean:.3g} without its default features" if lean else ""
            yield what + beside, ratio, limit, False
    for (task, product, name), cell in races.cells.items():
        if name == "derived" and product in ("read", "is_valid"):
            yield f"{product} of {task}: allocations", cell.get("allocations"), 0.0, True
    yield from whole_files(series, cublas)


def whole_files(series, cublas):
    for name in ("read", "is_valid"):
        # Linear: an entry costs as many instructions in a large table as in a small one. Its time grows
        # where the file outgrows the caches, for the hand-written loop as well.
        spent = dict(series.get(f"{name}-instructions", []))
        if {100, 100_000} <= spent.keys():
            grown = spent[100_000] / spent[100]
            yield f"{name}: instructions per entry of 100,000 entries, times those of 100", grown, 1.1, True
        times, hand = (dict(series.get(key, [])) for key in (name, f"hand-{name}"))
        if {100, 1_000_000} <= times.keys() & hand.keys():
            grown = [values[1_000_000] / values[100] for values in (times, hand)]
            what = f"{name}: growth of the time per entry from 100 to 1,000,000 entries, {grown[0]:.3g}"
            yield f"{what}, times that by hand, {grown[1]:.3g}", grown[0] / grown[1], 1.1, True
    seconds, peaks = series.get("list-seconds", []), series.get("list-peak", [])
    if seconds:
        yield "list: time for 2000 MiB, times that for 1 MiB", seconds[-1][1] / seconds[0][1], 2.0, True
        yield "list: peak of memory for 2000 MiB, bytes", peaks[-1][1], TWENTY_MB, True
    for name in ("extract", "scan"):
        cores = series.get(f"{name}-cores", [])
        if cores:
            yield f"{name}: cores in use, of {cores[-1][0]:.0f}", cores[-1][1], 0.75 * cores[-1][0], False
    for size, speed in series.get("zstd", []):
        yield f"zstd: speed for {size / 1024:.0f} KiB, in terms of the crate", speed, 0.9, False
    for name, limit, less in [("walk-ratio", 2.0, True), ("scan-ratio", 0.7, False)]:
        for _, value in cublas.get(name, []):
            what = "listing all entries, times a walk by hand" if less else "scan, in terms of memmem"
            yield f"cuBLAS: {what}", value, limit, less


def text(races, series, cublas):
    lines = ["| asked | measured | limit | |", "|---|---:|---:|---|"]
    missed = 0
    for what, value, limit, less in checks(races, series, cublas):
        if value is None:
            lines.append(f"| {what} | not measured | {limit:g} | |")
            continue
        good = value <= limit if less else value >= limit
        missed += not good
        bound = ("at most" if less else "at least") + f" {limit:g}"
        lines.append(f"| {what} | {value:.3g} | {bound} | {'met' if good else '**missed**'} |")
    return f"{missed} missed.\n\n" + "\n".join(lines)
