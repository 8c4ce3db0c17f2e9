#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The shell on a terminal, driven through tmux: prompt, editing, completion, hints, history, pager, signals, end.
. "$(dirname "$0")/tally.sh"
tmux=${TMUX_PROGRAM:-tmux}
command -v "$tmux" >/dev/null || { not_ok 'tmux is missing: apt-get install tmux'; finish; }
export TERM=xterm HOME=$scratch PAGER=$scratch/pager LC_ALL=C.UTF-8
unset XDG_CONFIG_HOME XDG_STATE_HOME NO_COLOR INPUTRC
t() { "$tmux" -S "$scratch/socket" -f /dev/null "$@"; }
trap 't kill-server 2>/dev/null; sleep 0.3; rm -rf "$scratch"' EXIT

# The text on the screen; waits up to 10 seconds for a part of it.
screen() { t capture-pane -p -t s; }
await() {
	local i
	for i in $(seq 100); do
		case "$(screen)" in *"$1"*) ok; return ;; esac
		sleep 0.1
	done
	not_ok "$2: no '$1' on the screen:"
	screen
}
gone() { lacks "$(screen)" "$1" "$2"; }
keys() { t send-keys -t s "$@"; }
type_text() { t send-keys -t s -l -- "$1"; }
type_line() { type_text "$1"; keys Enter; }
clear_line() { keys C-u; keys C-l; sleep 0.4; }
# A fresh session of the shell, with these words before the program and behind it.
start() {
	t kill-session -t s 2>/dev/null
	t new-session -d -s s -x 100 -y 40 "$1 '$SLABLAB' $2; echo status \$?; sleep 60"
}
# completes LINE ON_SCREEN WHAT: one Tab behind LINE brings this to the screen
completes() { type_text "$1"; keys Tab; await "$2" "completion of $3"; clear_line; }

# A pager that says that it was there, and waits for Enter.
printf '#!/bin/sh\necho "pager of $(wc -l) lines"\nread x </dev/tty\n' >"$scratch/pager"
chmod +x "$scratch/pager"

# The server ends with its last session: this one stays.
t new-session -d -s keep 'sleep 600'

# ---- a line, Ctrl-C, the end ----
start
await 'main>' 'a prompt'
type_line 'echo he''llo'
await $'\nhello' 'a command'
type_text 'buddyi'; keys Tab
await 'main> buddyinfo' 'completion of a command name'
keys Enter
await 'Node 0, zone   Normal' 'the completed command'
type_line 'no_such'
await 'no_such' 'an unknown command does not end the shell'
keys Up; keys Up; keys Enter
await 'Node 0, zone   Normal' 'history'
type_line 'repeat 1000000000 { a = kmalloc 64; kfree a }'
sleep 1
keys C-c
sleep 0.5
type_line 'lab check; echo still "here"'
await $'\nstill here' 'Ctrl-C ends the command, not the shell'
# ThreadSanitizer keeps signals back until the next key comes, and then what was typed goes with the line.
if [[ ${SANITIZERS-} != *thread* ]]; then
	keys C-c
	sleep 0.5
	type_line 'echo af''ter'
	await $'\nafter' 'Ctrl-C on an empty line'
	type_text 'echo not this'; keys C-c; sleep 0.5; type_line 'echo th''at'
	await $'\nthat' 'Ctrl-C clears the line'
	gone $'\nnot this' 'a line that was taken back'
fi

# ---- completion ----
keys C-l
completes 'kmem_cache cr' 'kmem_cache create ' 'a second word'
completes 'kmem_cache al' 'alloc_bulk  take N objects' 'two commands that begin alike'
completes 'kmalloc 64 gf' 'kmalloc 64 gfp=' 'a key'
completes 'kmalloc 64 gfp=GFP_KERNEL|__GFP_NOF' '|__GFP_NOFAIL' 'a flag behind a bar'
completes 'alloc_pages 0 type=mo' 'type=movable' 'a value'
type_line 'many = kmalloc 64 x20'
completes 'kfree ma' 'kfree many ' 'a handle'
completes 'kfree many[' 'a random half' 'a slice'
completes 'slabs kmalloc-9' 'slabs kmalloc-96' 'a cache'
completes 'slabs kmalloc-1' 'kmalloc-192  192 bytes, 0 objects out' 'caches with their figures'
type_line 'lab new second mem=8M'
completes 'lab use ' 'second  zones=Normal:8M' 'a lab'
completes '@se' '@second' 'a lab before a command'
completes 'set slub.max_o' 'set slub.max_order ' 'a policy'
completes 'set slab.merge ' 'on   now, default' "a policy's values"
completes 'get zone.N0.Normal.man' 'get zone.N0.Normal.managed ' 'a path'
completes 'get zone.N0.Normal.watermark.' 'watermark.min' 'paths with their values'
: >"$scratch/some_script.lab"
completes "source $scratch/some_s" 'some_script.lab ' 'a file'
completes 'watch 1s buddyi' 'watch 1s buddyinfo' 'a command of a command'

# ---- blocks and quotes over several lines ----
type_line 'repeat 2 {'; type_line 'echo "li''ne one'; type_line 'li''ne two"'
await '....> line two"' 'the prompt of a line that goes on'
type_line '}'
await $'\nline one\nline two\nline one\nline two' 'a block of several lines'
keys C-l; keys Up
await $'main> repeat 2 {\necho "line one\nline two"\n}' 'the block comes back whole'
keys C-c; sleep 1; keys C-u
if [[ ${SANITIZERS-} != *thread* ]]; then
	type_line 'repeat 2 {'; sleep 1; keys C-c; sleep 1; type_line 'echo un''hurt'
	await $'\nunhurt' 'Ctrl-C leaves a block that is open'
fi

# ---- prompt ----
type_line 'cpu 2'
await 'main cpu2>' 'the prompt tells the CPU'
type_line 'set slub.max_order 1'
await 'main cpu2*>' 'the prompt marks changed policies'
type_line 'unset slub.max_order; cpu 0; lab use second'
await 'second>' 'the prompt tells the lab'
type_line 'lab use main'

# ---- hints ----
type_text 'kmalloc '
await 'kmalloc SIZE [gfp=FLAGS] [node=N] [xN]  (bytes)' 'the hint of the next argument'
type_text '6'; sleep 0.5
gone 'SIZE [gfp' 'a hint that is answered'
clear_line
type_text 'kmalloc '; await 'SIZE' 'a hint'; keys Enter
await 'SIZE is missing' 'a hint is no part of the line'

# ---- another size of the window ----
keys C-l
t resize-window -t s -x 60 -y 20
sleep 0.5
type_text 'echo narrow but who'; t resize-window -t s -x 40 -y 20; sleep 0.5; type_line 'le'
await $'\nnarrow but whole' 'a line across a change of size'
t resize-window -t s -x 100 -y 40
sleep 0.5

# ---- pager ----
type_line 'get slub.*'
sleep 0.5
gone 'pager of' 'a short text has no pager'
type_line 'get zone.*'
await 'pager of' 'a long text goes to the pager'
keys Enter
type_line 'for i in 1 2 { get zone.N0.Normal.* }; echo sc''rolled'
await $'\nscrolled' 'what a block prints goes to no pager'
type_line 'get zone.* | tail -n 1'
await $'\nzone.watermark_scale_factor' 'nor does a pipe'
type_line 'watch n=2 10ms get lab.cpus; echo wat''ched'
await $'\nwatched' 'watch on a terminal'

# ---- history over sessions ----
type_line ' echo un''seen'
await $'\nunseen' 'a line with a leading blank runs'
type_line 'history 1'
await $'  history 1' 'the history lists itself'
type_line 'quit'
await 'status 0' 'quit'
is "$(stat -c %a "$scratch/.local/state/slablab/history")" 600 'nobody else reads the history'
lacks "$(cat "$scratch/.local/state/slablab/history")" unseen 'a leading blank is not stored'
start "NO_COLOR=1"
await 'main>' 'a prompt again'
keys Up; keys Up
await 'main> history 1' 'history of the session before'
keys Up
await 'main> watch n=2' 'and further back'
clear_line
type_text 'kmalloc '; sleep 0.5
gone 'SIZE' 'no hint without colours'
keys C-u
type_line 'zzz'
await 'zzz: there is no command' 'an error'
lacks "$(t capture-pane -e -p -t s)" $'\033[' 'no colours with NO_COLOR'
sleep 1		# a Ctrl-D before the line is read for is the terminal's, not readline's
keys C-d
await 'status 0' 'the end of input'
start '' --color=never
await 'main>' 'a prompt without colours'
lacks "$(t capture-pane -e -p -t s)" $'\033[' 'no colours with --color=never'

start 'PAGER=no_such_pager'
await 'main>' 'a prompt with a pager that is none'
type_line 'get zone.*'
await $'\nzone.watermark_scale_factor' 'the text is shown all the same'

# ---- start file ----
mkdir -p "$scratch/.config/slablab"
printf 'echo from the start file\ncpu 1\nno_such\necho never\n' >"$scratch/.config/slablab/rc"
start
await 'main cpu1>' 'the start file is run'
await 'rc:3: no_such' 'a mistake in it has its line'
gone $'\nnever' 'and ends it'
rm "$scratch/.config/slablab/rc"

# ---- a home that cannot be written ----
start 'HOME=/proc/nowhere'
await 'main>' 'a home that is none'
type_line 'echo fi''ne'
await $'\nfine' 'and commands run'
gone 'slablab: ' 'without a word about it'

# ---- job control ----
t kill-session -t s 2>/dev/null
t new-session -d -s s -x 100 -y 40 'bash --norc -i'
type_line "'$SLABLAB' -q"
await 'main>' 'a shell of a shell'
type_text 'echo half'; keys C-z
await 'Stopped' 'Ctrl-Z while a line is typed'
type_line fg
await 'main> echo half' 'and on with fg'
type_line '-done'
await $'\nhalf-done' 'the line is whole'
type_line 'repeat 1000000000 { a = kmalloc 64; kfree a }'
sleep 0.5
keys C-l; keys C-z; sleep 0.5
type_line 'echo st''opped'
await $'\nstopped' 'Ctrl-Z while a command runs'
type_line fg; sleep 0.5; keys C-c; sleep 0.5
type_line 'lab check; echo con''tinued'
await $'\ncontinued' 'and on with fg, to be ended'
finish
