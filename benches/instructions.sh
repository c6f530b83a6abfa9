#!/usr/bin/env bash
# Counts the instructions that each contestant spends per entry, which do not depend on what else
# the machine does. Needs valgrind. Writes results/instructions.csv.
#
# ./instructions.sh [PATTERN]    only the lines of `one list` that match, printed alone; `deku` without
#                                its default features only if the pattern names it
#
# The start of the program and the making of the file are taken out: what is told is the difference
# between a run with three repetitions and one with one.
set -euo pipefail
cd "$(dirname "$0")"

one="${CARGO_TARGET_DIR:-target}/release/one"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

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

# As many at once as there are cores; the order is restored by sorting on the number of the line.
races() { # pattern, contestant
    "$one" list | grep -E -- "$1" | { grep -F -- "$2" || true; } | cat -n |
        xargs -r -P "$(nproc)" -L 1 bash -c 'printf "%s %s\n" "$0" "$(race "$@")"' |
        sort -n | cut -d ' ' -f 2
}

# One program can hold only one of the two builds of `deku`.
case "${1:-deku}" in *deku*)
    cargo build --release --quiet --no-default-features --bin one
    races "${1:-}" ' deku-lean ' >"$work/lean" ;;
esac
cargo build --release --quiet --bin one
races "${1:-}" ' ' >"$work/table"
cat "$work/lean" >>"$work/table" 2>/dev/null || true

if [ $# -gt 0 ]; then
    cat "$work/table"
else
    mkdir -p results
    { echo 'task,product,contestant,instructions'; cat "$work/table"; } >results/instructions.csv
fi
