#!/usr/bin/env bash
# Asks the runtime and the Python readers of ExecuTorch about files that binfmt wrote.
#
# Needs Python 3.10 to 3.13 with venv and pip, cargo, and a network: downloads about 2 GB the first time,
# into target/reference. VENV names an environment that is there already, PYTHON an interpreter, BINFMT a
# program that is built. The output of the last run that succeeded is in last-run.txt; what the runtime
# and its kernels say on standard error goes to target/reference/executorch.log.
set -euo pipefail
here=tests/reference/executorch
cd "$(dirname "$0")/../../.."
venv=${VENV:-target/reference/executorch}
log=target/reference/executorch.log
mkdir -p target/reference
if [ ! -x "$venv/bin/python" ]; then
    "${PYTHON:-python3}" -m venv "$venv"
fi
"$venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$here/requirements.txt"
if [ -z "${BINFMT:-}" ]; then
    cargo build --quiet --release --package binfmt-cli
    BINFMT=${CARGO_TARGET_DIR:-target}/release/binfmt
fi
export BINFMT
checked() {
    "$BINFMT" --version
    "$venv/bin/python" --version
    "$venv/bin/pip" freeze --disable-pip-version-check | grep -iE '^(executorch|flatbuffers|numpy|safetensors|torch)=='
    "$venv/bin/python" "$here/check.py" 2>"$log"
}
export -f checked
export here venv log
if ! scripts/keep "$here/last-run.txt" bash -c 'set -euo pipefail; checked'; then
    echo "the end of $log:" >&2
    tail -n 20 "$log" >&2
    exit 1
fi
