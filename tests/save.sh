#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# lab save and lab load from the outside: a save that is killed leaves the old
# file whole, what cannot be read is refused with its reason, rights stay.
. "$(dirname "$0")/tally.sh"
cd "$scratch" || exit 99

# 100 saves killed at any moment, with old file A and new file B: always one of the two, whole.
cat >a.lab <<'END'
a = kmalloc 4096 x500
lab save lab
lab hash
END
old=$("$SLABLAB" -q a.lab | tail -n 1)
[ -n "$old" ] && ok || not_ok 'the first lab was not saved'
cp lab old
commands='b = kmalloc 4096 x600; lab hash; lab save lab'
start=$(date +%s%N)
new=$("$SLABLAB" -q -c "$commands" | grep -E '^[0-9a-f]{16}$')
span=$(($(date +%s%N) - start))	# the kill comes within it, whatever the machine
whole=0 killed=0 replaced=0
for i in $(seq 100); do
	cp old lab
	"$SLABLAB" -q -c "$commands" >/dev/null 2>&1 &
	pid=$!
	sleep "$(printf '%d.%09d' $((span * i / 100 / 1000000000)) $((span * i / 100 % 1000000000)))"
	kill -9 $pid 2>/dev/null
	wait $pid 2>/dev/null
	[ $? = 137 ] && killed=$((killed + 1))
	cmp -s lab old || replaced=$((replaced + 1))
	now=$("$SLABLAB" -q -c 'lab load L lab; @L lab hash' 2>&1 | tail -n 1)
	[ "$now" = "$old" ] || [ "$now" = "$new" ] && whole=$((whole + 1))
done
is "$whole" 100 'tries that left a whole file'
[ $killed -ge 10 ] && ok || not_ok "only $killed of 100 were killed before their end"
begun=$(ls -A | grep -c '^\.slablab-')
[ $((begun + replaced)) -ge 3 ] && ok || not_ok 'the saves were killed before they began'
rm -f .slablab-*

# A save that fails leaves the old file and nothing else.
cp old lab
mkdir closed && cp old closed/lab && chmod 500 closed
if [ "$(id -u)" != 0 ]; then
	"$SLABLAB" -q -c 'lab save closed/lab' 2>err && not_ok 'saved into a closed folder' || ok
	has "$(cat err)" 'cannot save to closed/lab' 'a closed folder'
fi
(ulimit -f 8; trap '' XFSZ; "$SLABLAB" -q -c 'b = kmalloc 4096 x3000; lab save lab' 2>err) && not_ok 'saved beyond the size allowed' || ok
has "$(cat err)" 'cannot save to lab' 'a file that cannot grow'
cmp -s lab old && ok || not_ok 'a save that failed changed the old file'
is "$(ls -A | grep -c '^\.slablab-')" 0 'files left aside'

# Rights of the file replaced stay; a link stays a link.
chmod 640 lab
ln -s lab link
"$SLABLAB" -q -c 'lab save link' && ok || not_ok 'saving through a link'
is "$(stat -c %a lab)" 640 'rights of the file replaced'
[ -L link ] && ok || not_ok 'the link was replaced'

# A loaded lab goes on as the saved one would have.
"$SLABLAB" -q -c 'a = kmalloc 100 x70; lab save c; kfree a[~50%]; kmalloc 300 x9; lab check; lab hash' >one
"$SLABLAB" -q -c 'lab load L c; lab use L; kfree a[~50%]; kmalloc 300 x9; lab check; lab hash; undo 2; get -v cache.kmalloc-128.objects' >two
is "$(sed -n 's/^[0-9a-f]\{16\}$/&/p' one)" "$(sed -n 's/^[0-9a-f]\{16\}$/&/p' two)" 'the history after loading'
is "$(tail -n 1 two)" 70 'undo in a loaded lab'

# Refusals name the reason.
refused() {
	"$SLABLAB" -q -c "lab load L '$1'" >/dev/null 2>err && not_ok "$1 was loaded" || ok
	has "$(cat err)" "$2" "$1"
	is "$(wc -l <err)" 1 "lines of the error about $1"
}
head -c 3000 old >cut
refused cut 'ends in the middle of'
cp old altered && printf 'x' | dd of=altered bs=1 seek=2000 conv=notrunc 2>/dev/null
refused altered 'is no lab to load'
printf 'slablab\n' >short
refused short 'ends in the middle of its header'
refused a.lab 'does not begin like a file of'
refused nothing 'No such file'
refused . 'is no regular file'
"$SLABLAB" -q -c 'lab load main old' 2>err && not_ok 'loaded over a lab' || ok
has "$(cat err)" 'there is a lab "main" already' 'a name in use'
finish
