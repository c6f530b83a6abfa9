#!/usr/bin/env bash
# Counts the instructions that each contestant spends per entry, which do not depend on what else
# the machine does. Needs valgrind. Writes results/instructions.csv.
#
# ./instructions.sh [PATTERN]    only the lines of `one list` that match, printed alone
#
# The start of the program and the making of the file are taken out: what is told is the difference
# between a run with three repetitions and one with one.
set -euo pipefail
cd "$(dirname "$0")"

cargo build --release --quiet --bin one
one="${CARGO_TARGET_DIR:-target}/release/one"

count() { # task product contestant times
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$one" "$@" 2>&1 >/dev/null |
        sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

race() { # task product contestant count
    local once thrice
    once=$(count "$1" "$2" "$3" 1)
    thrice=$(count "$1" "$2" "$3" 3)
    awk -v name="$1,$2,$3" -v n="$((thrice - once))" -v count="$4" \
        'BEGIN { printf "%s,%.3f\n", name, n / 2 / count }'
}
export -f count race
export one

table=$(mktemp)
trap 'rm -f "$table"' EXIT

# As many at once as there are cores; the order is restored by sorting on the number of the line.
"$one" list | grep -E -- "${1:-}" | cat -n |
    xargs -P "$(nproc)" -L 1 bash -c 'printf "%s %s\n" "$0" "$(race "$@")"' |
    sort -n | cut -d ' ' -f 2 >"$table"

if [ $# -gt 0 ]; then
    cat "$table"
else
    mkdir -p results
    { echo 'task,product,contestant,instructions'; cat "$table"; } >results/instructions.csv
fi
