#!/usr/bin/env bash
# Compares what the package for Python says of the corpus with what ExecuTorch's own Python says: see
# package.py. Keeps the output of the last run that succeeded in last-package.txt.
#
# Needs Python 3.10 to 3.13 with venv and pip, cargo, and a network: downloads about 2 GB the first time, into
# target/reference, as run.sh does. VENV names an environment that is there already, PYTHON an interpreter,
# PACKAGE a folder into which the package has been installed.
set -euo pipefail
here=tests/reference/executorch
cd "$(dirname "$0")/../../.."
venv=${VENV:-target/reference/executorch}
mkdir -p target/reference
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ ! -x "$venv/bin/python" ]; then
    "${PYTHON:-python3}" -m venv "$venv"
fi
"$venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$here/requirements.txt"
if [ -z "${PACKAGE:-}" ]; then
    "$venv/bin/python" -m venv "$work/venv"
    "$work/venv/bin/pip" install --quiet --disable-pip-version-check "maturin>=1.9,<2"
    (cd python && "$work/venv/bin/maturin" build --quiet --locked --interpreter "$work/venv/bin/python" --out "$work")
    PACKAGE=$work/package
    "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --target "$PACKAGE" "$work"/*.whl
fi
export PYTHONPATH=$PACKAGE
log=target/reference/package.log
if ! scripts/keep "$here/last-package.txt" "$venv/bin/python" "$here/package.py" 2> >(tee "$log" >/dev/null); then
    echo "the end of $log:" >&2
    tail -n 20 "$log" >&2
    exit 1
fi
