# SPDX-License-Identifier: GPL-3.0-or-later
#
# setup.sh - what scripts/try and scripts/check share: the packages, the build.
# Sourced, never run. Every step does only what is not there yet.

top=$(cd "$(dirname "$0")/.." && pwd) || exit 1
jobs=$(nproc 2>/dev/null || echo 2)

say() { printf '%s\n' "$*" >&2; }
die() { say "$(basename "$0"): $*"; exit 1; }

as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo >/dev/null 2>&1; then
		sudo "$@"
	else
		return 1
	fi
}

# Those of the packages named that are not installed.
missing_packages() {
	local p
	for p in "$@"; do
		dpkg-query -W -f '${Status}\n' "$p" 2>/dev/null | grep -q '^install ok installed' || printf '%s ' "$p"
	done
}

# need PACKAGE...: install those that are missing.
needed=
need() {
	local missing
	needed=$*
	if ! command -v dpkg-query >/dev/null 2>&1; then
		say "This is no Debian: going on with what is installed (needed: $*)."
		return 0
	fi
	missing=$(missing_packages "$@")
	[ -n "$missing" ] || return 0
	say "Installing: $missing"
	as_root env DEBIAN_FRONTEND=noninteractive sh -c '
		apt-get -q install -y --no-install-recommends "$@" ||
		{ apt-get -q update && apt-get -q install -y --no-install-recommends "$@"; }
	' sh $missing </dev/null >"$top/.setup.log" 2>&1 || {
		tail -n 5 "$top/.setup.log" >&2
		die "could not install $missing
Install them by hand (apt-get install $missing) and run this again."
	}
	rm -f "$top/.setup.log"
}

build_packages="autoconf automake libtool make gcc libc6-dev pkg-config libreadline-dev libncurses-dev libjansson-dev zlib1g-dev libunwind-dev"
test_packages="libcmocka-dev python3-minimal python3 mandoc tmux"

# quietly LOG COMMAND...: its output is shown only when it fails.
quietly() {
	local log=$1
	shift
	"$@" >"$log" 2>&1 </dev/null && return 0
	tail -n 40 "$log" >&2
	die "failed: $* (everything it said: $log)"
}

# is_behind FOLDER: a package that is needed came after its configure ran.
is_behind() {
	local p f
	for p in $needed; do
		for f in /var/lib/dpkg/info/"$p".list /var/lib/dpkg/info/"$p":*.list; do
			[ "$f" -nt "$1/config.status" ] && return 0
		done
	done
	return 1
}

# build FOLDER TARGET [CONFIGURE ARGUMENT...]: configure when that is due, then make.
build() {
	local dir=$top/$1 target=$2
	shift 2
	mkdir -p "$dir" || die "cannot make $dir"
	[ -x "$top/configure" ] || (cd "$top" && quietly "$dir/autoreconf.log" autoreconf -fi) || exit 1
	{ [ -f "$dir/Makefile" ] && ! is_behind "$dir"; } || (cd "$dir" && quietly "$dir/configure.log" "$top/configure" "$@") || exit 1
	quietly "$dir/make.log" make -C "$dir" -j"$jobs" $target
}
