#!/usr/bin/env bash
# Counts the instructions that each contestant spends per entry. Needs valgrind.
#
# The start of the program is taken out: what is printed is the difference between a run with twice
# as many repetitions and one with the others.
set -euo pipefail
cd "$(dirname "$0")"

cargo build --release --quiet --bin one
one="${CARGO_TARGET_DIR:-target}/release/one"

count() { # format contestant times
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$one" "$@" 2>&1 >/dev/null |
        sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

echo '| format | contestant | instructions per entry | times hand |'
echo '|---|---|---:|---:|'
for format in ${FORMATS:-vpt fatbin}; do
    entries=$("$one" "$format" hand 1)
    for contestant in ${CONTESTANTS:-hand derived binrw deku}; do
        times=4
        once=$(count "$format" "$contestant" "$times")
        twice=$(count "$format" "$contestant" $((2 * times)))
        difference=$((twice - once))
        [ "$contestant" = hand ] && hand=$difference
        awk -v format="$format" -v contestant="$contestant" -v n="$difference" -v hand="${hand:-$difference}" \
            -v per="$((entries * times))" \
            'BEGIN { printf "| %s | %s | %.1f | %.2f |\n", format, contestant, n / per, n / hand }'
    done
done
