"""The program ``binfmt``, as ``python -m binfmt`` and as the command of the package."""

from __future__ import annotations

import signal
import sys

from . import _binfmt


def main() -> int:
    """Runs the program with the arguments of the process."""
    # The program removes unfinished files at Ctrl-C itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _binfmt.run(["binfmt", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
