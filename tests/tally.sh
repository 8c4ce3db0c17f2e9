# SPDX-License-Identifier: GPL-3.0-or-later
#
# tally.sh - counting for test scripts. Sourced.
#
# A script calls is, ok or not_ok for each single test and ends with finish,
# which prints the line that tests/count reads.
#
# Environment: SLABLAB the program, TESTS the folder of tests, TOP the sources.

TESTS=${TESTS:-$(cd "$(dirname "$0")" && pwd)}
TOP=${TOP:-$(cd "$TESTS/.." && pwd)}
SLABLAB=${SLABLAB:-$TOP/build/slablab}
passed=0 failed=0
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

ok() { passed=$((passed + 1)); }
not_ok() { failed=$((failed + 1)); printf 'not so: %s\n' "$*"; }

# is HAVE WANT WHAT
is() {
	if [ "$1" = "$2" ]; then ok; else not_ok "$3: '$1', should be '$2'"; fi
}

# has TEXT PART WHAT
has() {
	case "$1" in *"$2"*) ok ;; *) not_ok "$3: '$1' has no '$2'" ;; esac
}

# lacks TEXT PART WHAT
lacks() {
	case "$1" in *"$2"*) not_ok "$3: '$1' has '$2'" ;; *) ok ;; esac
}

finish() {
	printf '%d passed, %d failed\n' "$passed" "$failed"
	[ "$failed" = 0 ] && [ "$passed" != 0 ]
	exit $?
}
