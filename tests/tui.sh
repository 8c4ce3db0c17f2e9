#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The full-screen view on a real terminal, driven through tmux: panes, keys, sizes, mouse, commands, signals, the way out.
. "$(dirname "$0")/tally.sh"
# Frames show figures that run on meanwhile, read without a lock by design: ThreadSanitizer would tell of each.
# What must be exact is read in a stop, and the panes' models are in tests/unit/tui.
grep -qa __tsan_init "$SLABLAB" && { echo 'not under ThreadSanitizer'; exit 77; }
tmux=${TMUX_PROGRAM:-tmux}
command -v "$tmux" >/dev/null || { not_ok 'tmux is missing: apt-get install tmux'; finish; }
export TERM=xterm HOME=$scratch LC_ALL=C.UTF-8
unset XDG_CONFIG_HOME XDG_STATE_HOME NO_COLOR COLORTERM INPUTRC
t() { "$tmux" -u -S "$scratch/socket" -f /dev/null "$@"; }
trap 't kill-server 2>/dev/null; sleep 0.3; rm -rf "$scratch"' EXIT

screen() { t capture-pane -p -t s; }
# A terminal shows a program's last words a moment before it is what they made it.
settles() {
	local i
	for i in $(seq 50); do
		[ "$(ask "$1")" = "$2" ] && break
		sleep 0.1
	done
	is "$(ask "$1")" "$2" "$3"
}
ask() { t display-message -p -t s "$1"; }
# What is on the screen within 15 seconds.
await() {
	local i
	for i in $(seq 150); do
		case "$(screen)" in *"$1"*) ok; return 0 ;; esac
		sleep 0.1
	done
	not_ok "$2: no '$1' on the screen:"
	screen
	return 1
}
# What is no longer there within 5 seconds.
gone() {
	local i
	for i in $(seq 50); do
		case "$(screen)" in *"$1"*) sleep 0.1 ;; *) ok; return 0 ;; esac
	done
	not_ok "$2: '$1' is still on the screen"
}
keys() { local k; for k; do t send-keys -t s "$k"; sleep 0.15; done; }
typed() { t send-keys -t s -l -- "$1"; t send-keys -t s Enter; }
size() { t resize-window -t s -x "$1" -y "$2"; sleep 0.6; }
# start WIDTH HEIGHT COMMAND: in a shell of the system, whose prompt comes back behind it
start() {
	t kill-session -t s 2>/dev/null
	t new-session -d -s s -x "$1" -y "$2" env PS1='sh> ' HISTFILE= bash --norc --noprofile
	t set-option -g status off
	size "$1" "$2"
	await 'sh>' 'a shell'
	typed "stty -a | cksum >$scratch/before; clear"
	sleep 0.3
	typed "$3"
}
# The terminal is as it was before.
restored() {
	settles '#{alternate_on} #{mouse_any_flag} #{cursor_flag}' '0 0 1' "$1: main screen, no mouse, a cursor"
	typed "stty -a | cksum >$scratch/after"
	sleep 0.5
	is "$(cat "$scratch/after")" "$(cat "$scratch/before")" "$1: modes of the terminal"
}
left() { local i; for i in $(seq 50); do [ "$(ask '#{alternate_on}')" = 0 ] && break; sleep 0.1; done; }

t new-session -d -s keep 'sleep 900'

# ---- from the program's own shell, and back to it ----
start 80 24 "'$SLABLAB'"
await 'main>' 'the shell of the program'
typed 'a = kmalloc 64 x3'
typed 'tui'
await 'N0 Normal' 'the first screen shows a zone'
await 'kmalloc-64' 'and caches'
settles '#{alternate_on} #{mouse_any_flag}' '1 1' 'it has a screen of its own, and the mouse'
keys :; typed 'b = kmalloc 64 x4'
await 'kmalloc 64 x4' 'what was run is told'
keys q; left
await 'main>' 'q leads back to the shell'
typed 'get -v cache.kmalloc-64.objects'
await $'\n7' 'with everything alive'
typed 'quit'; await 'sh>' 'and the shell ends'
restored 'after tui in the shell'

# ---- every pane, and what is seen of it ----
start 100 40 "'$SLABLAB' tui"
await 'N0 Normal' 'zones'
keys 2; await 'by migratetype' 'map'
keys c; await 'by owner' 'map by owner'
keys + +; await 'a cell is' 'map zoomed'
keys 3; await 'store' 'caches'
keys Down Enter; await 'a slab' 'Enter opens the cache'
keys Tab; await 'vents' 'events'
keys Tab; await 'Nothing happened yet' 'why'
keys Tab; await 'One lab is here' 'twin'
keys Tab; await 'zone lock' 'Tab comes round'
keys 1 z; await 'unusable' 'a pane alone'
keys z '?'; await 'Keys everywhere' 'help'
keys Escape; gone 'Keys everywhere' 'Escape closes help'

# ---- commands: completion, output, errors, history ----
keys :; t send-keys -t s -l 'kmem_cache cr'; keys Tab
await 'kmem_cache create ' 'completion in the command line'
t send-keys -t s -l 'foo 200 merge=off'; keys Enter
await 'foo' 'a cache that was made'
keys :; typed 'repeat 3 { buddyinfo }'
await 'Output' 'more than a line opens the drawer'
keys Escape; gone 'Output' 'Escape closes it'
keys :; typed 'no_such_thing'
await 'no command' 'an error is told'
keys :; keys Up Up; await 'repeat 3 { buddyinfo }' 'history'
keys Escape
keys :; typed 'c = alloc_pages 3'; keys 6
await 'of order 3 (8 pages) is asked for' 'the story of the last op'

# ---- policies: changed in place, in force at once, undone ----
keys p; await 'Policies' 'the panel'
keys /; typed 'slab.merge'; await 'slab.merge' 'searched'
keys Right; await '*slab.merge' 'a changed one is marked'
await 'linux-6.1*' 'and so is the lab'
keys Escape Escape
keys :; typed 'get -v slab.merge'
await 'off' 'it is in force'
keys u; await 'undo' 'u undoes'
gone 'linux-6.1*' 'the change is undone'

# ---- the past ----
keys :; typed 'd = kmalloc 128 x50'
keys '<'; await '1 back' 'a moment before'
keys '>'; gone '1 back' 'and the present'

# ---- a workload: held, stepped, policy changed meanwhile, window changed meanwhile ----
keys :; typed 'run churn'
await 'churn:' 'a workload runs beside the screen'
size 180 50; await 'churn' 'in another size'
size 60 16; await 'churn' 'and in a small one'
size 20 5; await 'too small' 'too small a window says so'
size 100 40; await 'churn' 'and back'
keys Space; await 'held' 'Space holds it'
keys .; keys 6; await 'on CPU' 'an op of it is explained'
keys Space; gone ' held ' 'and lets it go on'
keys :; typed 'set slub.partial_add tail'
await 'linux-6.1*' 'a policy is changed in the midst of it'
keys C-c; gone 'churn: ' 'Ctrl-C ends it'
keys :; typed 'lab check'; await 'lab check' 'the lab is whole'

# ---- who waits for a workload learns that the screen ended it ----
keys :; typed 'run churn ops=1000000000 &'
keys :; typed 'job wait'; await 'churn:' 'a command waits'
keys :; typed 'job stop'; await 'left ' 'the workload was ended meanwhile'
gone 'churn: ' 'and nobody waits for it'
keys :; typed 'lab check'; await 'every invariant holds' 'the lab is whole'
keys Escape

# ---- the mouse ----
keys 1
t send-keys -t s -H 1b 5b 4d 20 5f 21	# button 1 at column 62 of the header, as this terminal tells it
await 'by owner' 'a click on a tab'
keys 7

# ---- saved, suspended, ended ----
keys s; typed "$scratch/screen.svg"; await 'saved to' 'a picture is saved'
has "$(head -c 200 "$scratch/screen.svg")" '<svg' 'as SVG'
keys C-z; await 'Stopped' 'Ctrl-Z gives the terminal back'
settles '#{alternate_on} #{cursor_flag}' '0 1' 'with its main screen'
typed fg; await 'Twin' 'and fg brings the view back'
keys q; left; await 'sh>' 'q ends it where it was started by itself'
restored 'after slablab tui'

# ---- a command file in the view ----
printf 'kmem_cache create foo 200 merge=off\na = kmem_cache alloc foo x100\necho look here\npause and see\nkfree a\n' >"$scratch/tour.lab"
start 100 40 "'$SLABLAB' tui $scratch/tour.lab"
await 'look here' 'what a file prints'
await 'and see' 'it waits'
keys 3; await 'foo' 'and lets one look around'
keys Enter; gone 'and see' 'Enter goes on'
keys :; typed 'get -v cache.foo.objects'; await '0' 'to its end'

# ---- a program that is killed gives the terminal back ----
child=$(ps -o pid= --ppid "$(ask '#{pane_pid}')" | head -1)
kill -SEGV $child
sleep 1.5
await 'sh>' 'a crash leads back to the shell'
restored 'after a crash'

# ---- terminals ----
start 80 24 "TERM=dumb '$SLABLAB' tui; echo status \$?"
await 'dumb terminal' 'a dumb terminal is refused in a sentence'
await 'status 1' 'with status 1'
start 80 24 "LC_ALL=C NO_COLOR=1 '$SLABLAB' tui"
await '= Zones =' 'ASCII where the locale says so'
keys q; left
restored 'after an ASCII screen'
r=$("$SLABLAB" tui </dev/null 2>&1); is $? 1 'without a terminal: status 1'
has "$r" 'needs a terminal' 'and a sentence'
finish
