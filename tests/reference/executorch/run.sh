#!/bin/sh
# Asks the runtime and the Python readers of ExecuTorch about files that binfmt wrote.
#
# Downloads about 2 GB the first time, into target/reference; VENV names an environment that is
# there already, and BINFMT a program that is built. The output of the last run is in last-run.txt.
set -eu
here=tests/reference/executorch
cd "$(dirname "$0")/../../.."
venv=${VENV:-target/reference/executorch}
if [ ! -x "$venv/bin/python" ]; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --requirement "$here/requirements.txt"
fi
if [ -z "${BINFMT:-}" ]; then
    cargo build --quiet --release --package binfmt-cli
    BINFMT=${CARGO_TARGET_DIR:-target}/release/binfmt
fi
export BINFMT
# The runtime and its kernels chatter on standard error.
"$venv/bin/python" "$here/check.py" 2>/dev/null >"$here/last-run.tmp" && code=0 || code=$?
mv "$here/last-run.tmp" "$here/last-run.txt"
tail -n 1 "$here/last-run.txt"
exit "$code"
