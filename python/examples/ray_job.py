"""Catalogues a folder with Ray into one Parquet dataset.

    python ray_job.py FOLDER OUT [--files-per-task 32] [--workers N]

Where a cluster is running, `RAY_ADDRESS` names it; else one is started on this machine. Ray gives the
work of a machine or a process that is lost to another one.
"""

from __future__ import annotations

import argparse

import ray

from catalogue import files, for_ray


def run(folder: str, out: str, files_per_task: int, function=for_ray) -> int:
    """Writes the dataset; gives how many rows it has."""
    paths = [{"path": path} for path in files(folder)]
    tasks = max(1, -(-len(paths) // files_per_task))
    dataset = ray.data.from_items(paths, override_num_blocks=tasks)
    rows = dataset.map_batches(function, batch_size=None, batch_format="pyarrow")
    rows.write_parquet(out)
    return ray.data.read_parquet(out).count()


def main() -> None:
    args = argparse.ArgumentParser(description=__doc__)
    args.add_argument("folder")
    args.add_argument("out")
    args.add_argument("--files-per-task", type=int, default=32)
    args.add_argument("--workers", type=int, help="how many processes a cluster of this machine has")
    args = args.parse_args()
    ray.init(num_cpus=args.workers)
    print(f"{run(args.folder, args.out, args.files_per_task)} rows in {args.out}")


if __name__ == "__main__":
    main()
