#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The manual against the tables: every command, argument, option, policy and event has its page or its row.
. "$(dirname "$0")/tally.sh"
man=$TOP/man
page_of() { printf '%s/slablab-%s.1' "$man" "${1// /-}"; }

# Every command has a page that names each of its arguments; every page has its command.
while IFS=$'\t' read -r command argument; do
	page=$(page_of "$command") word=${argument#-}
	if [ ! -f "$page" ]; then
		not_ok "$command has no page $page"
	elif [ -z "$argument" ]; then
		grep -q "^\.Nm slablab-${command// /-}\$" "$page" && ok || not_ok "$page does not name slablab-${command// /-}"
	else
		grep -qE -- "^\.(Op|It|Ar|Cm|Fl) (.*[^[:alnum:]_])?${word#-}( |\$)" "$page" && ok || not_ok "$page does not describe $argument"
	fi
done < <("$BUILD/man/tables" commands)
for page in "$man"/slablab-*.1; do
	name=$(basename "$page" .1)
	"$BUILD/man/tables" commands | cut -f1 | tr ' ' '-' | grep -qx -- "${name#slablab-}" && ok || not_ok "$page is of no command"
done

# Of what may be several, and of nothing else, the synopsis says so.
while IFS= read -r command; do
	usage=$("$SLABLAB" help "$command" | head -n 1 | grep -oE '[A-Z=]+\.\.\.' | sort)
	page=$(sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESCRIPTION/p' "$(page_of "$command")" | grep -oE 'Ar [A-Z=]+ \.\.\.' | sed 's/Ar //; s/ //' | sort)
	is "$page" "$usage" "$command: what is repeated in its synopsis, and in its usage line"
done < <("$BUILD/man/tables" commands | cut -f1 | sort -u)

# Every option of the program, long and short.
"$SLABLAB" --help | grep -oE '(^| )--?[a-zA-Z-]+' | tr -d ' ' | sort -u >"$scratch/options"
while read -r option; do
	case $option in --*) macro="Fl Fl ${option#--}" ;; *) macro="Fl ${option#-}" ;; esac
	grep -qE "^\.It (.* )?$macro( |\$)" "$man/slablab.1" && ok || not_ok "slablab(1) does not have $option"
done <"$scratch/options"

# The tables in the pages are those of the program.
for page in slablab-policies.7 slablab-events.7 slablab-figures.7 slablab-run.1; do
	table=${page#slablab-}
	sh "$man/renew" - "$BUILD/man/tables" "${table%.?}" "$man/$page" >"$scratch/$page"
	cmp -s "$scratch/$page" "$man/$page" && ok || not_ok "$page is not current: make man-tables"
done
# Whatever get lists has a text.
"$SLABLAB" -q -l nodes=2,layout=x86_64,mem=8G,cpus=4 -c 'kmem_cache create a.b 200; replay $1 > /dev/null; run churn > /dev/null; get *' \
	"$TOP/scripts/examples/unix-stream.trace.gz" | sed 's/ = .*//' >"$scratch/paths"
[ "$(wc -l <"$scratch/paths")" -ge 3000 ] && ok || not_ok 'get * lists little'
is "$("$BUILD/man/tables" unknown <"$scratch/paths")" '' 'paths without a text'
"$SLABLAB" -q -c 'policy' | grep -oE '^[a-z]+\.[a-z0-9_]+' | sort -u >"$scratch/names"
[ -s "$scratch/names" ] && ok || not_ok 'policy prints no names'
while read -r name; do
	grep -q "^\.It Cm $name\$" "$man/slablab-policies.7" && ok || not_ok "slablab-policies(7) has no $name"
done <"$scratch/names"

# mandoc has nothing to say; whether a page that is referred to exists is looked up here.
mandoc=${MANDOC:-mandoc}
for page in "$man"/*.[17]; do
	is "$("$mandoc" -T lint "$page" 2>&1 | grep -v 'referenced manual not found')" '' "mandoc -T lint $(basename "$page")"
	sed -n 's/^\.Xr \(slablab[^ ]*\) \([17]\).*/\1.\2/p' "$page" | while read -r ref; do
		[ -f "$man/$ref" ] || echo "$ref"
	done >"$scratch/refs"
	is "$(cat "$scratch/refs")" '' "$(basename "$page") refers to pages that exist"
done
finish
