"""Reads what the benchmarks wrote into results/."""

import csv
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
PRODUCTS = {
    "read": "Open and iterate, borrowed",
    "own": "Read into values that own what they hold",
    "is_valid": "Say whether everything can be read",
    "validate": "List all violations",
    "write": "Write",
}


def rows(name):
    path = HERE / "results" / f"{name}.csv"
    if not path.exists():
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


class Races:
    """Times and instructions of all races, by task, product and contestant."""

    def __init__(self):
        self.cells = {}
        self.units = {}
        for row in rows("ratio"):
            key = (row["task"], row["product"], row["contestant"])
            self.cells[key] = {
                "ns": float(row["ns"]),
                "times": float(row["times_hand"]),
                "allocations": float(row["allocations"]),
            }
            self.units[row["task"]] = (row["unit"], int(row["count"]))
        for row in rows("instructions"):
            key = (row["task"], row["product"], row["contestant"])
            self.cells.setdefault(key, {})["instructions"] = float(row["instructions"])

    def tasks(self, product):
        return list(dict.fromkeys(task for task, other, _ in self.cells if other == product))

    def contestants(self, product, task=None):
        names = [
            name
            for other_task, other, name in self.cells
            if other == product and task in (None, other_task)
        ]
        return list(dict.fromkeys(names))

    def get(self, task, product, contestant, what):
        return self.cells.get((task, product, contestant), {}).get(what)

    def ratio(self, task, product, one, other, what):
        """What `one` costs in terms of `other`."""
        a, b = (self.get(task, product, name, what) for name in (one, other))
        return a / b if a is not None and b else None


def scaling(name="scaling"):
    """Lists of (x, value) by measure."""
    series = defaultdict(list)
    for row in rows(name):
        series[row["measure"]].append((float(row["x"]), float(row["value"])))
    return series
