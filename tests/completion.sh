#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of command lines in bash and, where there is one, in zsh.
. "$(dirname "$0")/tally.sh"
mkdir "$scratch/bin" "$scratch/work"
ln -s "$SLABLAB" "$scratch/bin/slablab"
PATH=$scratch/bin:$PATH
cd "$scratch/work" || exit 99
mkdir folder
touch trace.gz 'two words.lab'
echo 'echo $1' >run.lab

. "$TOP/completions/slablab.bash"
has "$(complete -p slablab)" '-F _slablab' 'bash knows the function'

# As bash calls it: the line cut at blanks, = and :. Quotes are not cut here.
tab() {
	local rest=$1 part

	COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=()
	while [[ $rest =~ ^([[:blank:]]*)([=:]+|\'[^\']*\'|[^=:[:blank:]]+)(.*)$ ]]; do
		COMP_WORDS+=("${BASH_REMATCH[2]}")
		rest=${BASH_REMATCH[3]}
	done
	case $1 in *[[:blank:]=:]) COMP_WORDS+=('') ;; esac
	# behind = bash itself hands over the = as the word, or nothing; the function takes both
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	_slablab slablab '' ''
	offered=$(printf '%s|' "${COMPREPLY[@]}")
}
# offers LINE CANDIDATE...: each of them, with the blank that ends it
offers() {
	local line=$1 want

	tab "$line"
	shift
	for want; do
		has "|$offered" "|$want|" "Tab behind '$line'"
	done
}
# only LINE CANDIDATES
only() { tab "$1"; is "$offered" "$2" "Tab behind '$1'"; }

COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
# Every command there is, by its first word.
tab 'slablab '
while read -r name _; do
	has "|$offered" "|$name|" 'commands'
done < <("$SLABLAB" help | sed -n '/^  [a-z]/s/^  //p')
offers 'slablab ' trace.gz folder run.lab
only 'slablab kmem' 'kmem_cache|'
offers 'slablab kmem_cache ' 'create ' 'free_bulk '
only 'slablab kmem_cache cr' 'create |'
offers 'slablab kmem_cache create foo 64 flags=' 'RCU ' 'NOMERGE '
only 'slablab kmem_cache create foo 64 flags=NOM' 'NOMERGE |'
offers 'slablab -l nodes=2 kmalloc 64 node=' '0 ' '1 '
only 'slablab set slub.partial_a' 'slub.partial_add |'
offers 'slablab set slub.partial_add ' 'head ' 'tail '
only 'slablab slabs kmalloc-1k' 'kmalloc-1k |'
only 'slablab replay tr' 'trace.gz|'
offers 'slablab import ' 'auto ' 'slabinfo '
only 'slablab run.lab tr' 'trace.gz|'
# Options are those of --help, and their values.
tab 'slablab -'
while read -r option; do
	has "|$offered" "|$option |" 'options'
done < <("$SLABLAB" --help | grep -oE '(^| )--?[a-zA-Z-]+' | tr -d ' ')
only 'slablab --col' '--color |'
only 'slablab --color=' 'auto |always |never |'
only 'slablab --color=al' 'always |'
only 'slablab --color ne' 'never |'
only 'slablab -s slub.partial_a' 'slub.partial_add=|'
offers 'slablab -s slub.partial_add=' 'head ' 'tail '
only 'slablab --set=slub.partial_add=emptier_h' 'emptier_head |'
offers 'slablab -l ' 'mem=' 'cpus='
only 'slablab -l mem=64M,layout=x' 'x86_64|'
only 'slablab -c ' '|'
only "slablab -b 'slub_max_order=0 slab_nomerge' -q kmem" 'kmem_cache|'
# Nothing that can be offered is no error and no text.
only 'slablab kmalloc 5 no_such=' '|'
is "$("$SLABLAB" --complete='kmem_cache des')" $'destroy \tend a cache that has no live object' 'what the program says'
is "$("$SLABLAB" --complete='replay ')" / 'a file may stand there'
is "$("$SLABLAB" --complete='time slabs > ')" / 'and behind > of a command that another runs'
has "$("$SLABLAB" --complete='watch 1s assert lab.cpus > pcp.')" 'pcp.batch' 'but > of assert compares'

# bash on a terminal: where blanks, slashes and quotes come from.
tmux=${TMUX_PROGRAM:-tmux}
command -v "$tmux" >/dev/null || not_ok 'tmux is missing: apt-get install tmux'
t() { "$tmux" -S "$scratch/socket" -f /dev/null "$@"; }
trap 't kill-server 2>/dev/null; rm -rf "$scratch"' EXIT
t new-session -d -s s -x 120 -y 40 "PS1='ready> ' HOME=$scratch INPUTRC=/dev/null bash --norc --noprofile -i"
t send-keys -t s -l "PATH=$PATH; cd $scratch/work; . $TOP/completions/slablab.bash; clear"
t send-keys -t s Enter
# becomes LINE TEXT: one Tab behind LINE, and a bar to show where the cursor stands
becomes() {
	local i

	t send-keys -t s -l "$1"
	t send-keys -t s Tab
	sleep 0.5
	t send-keys -t s -l '|'
	for i in $(seq 50); do
		case $(t capture-pane -p -t s) in *"ready> $2|"*) ok; break ;; esac
		sleep 0.1
	done
	[ "$i" -lt 50 ] || not_ok "bash: '$1' and Tab is not '$2' but $(t capture-pane -p -t s | grep -v '^$' | tail -n 1)"
	t send-keys -t s C-u C-l
}
becomes 'slablab kmem' 'slablab kmem_cache '
becomes 'slablab kmem_cache cr' 'slablab kmem_cache create '
becomes 'slablab kmem_cache create foo 64 flags=NOM' 'slablab kmem_cache create foo 64 flags=NOMERGE '
becomes 'slablab set slub.partial_a' 'slablab set slub.partial_add '
becomes 'slablab -s slub.partial_a' 'slablab -s slub.partial_add='
becomes 'slablab -s slub.partial_add=emptier' 'slablab -s slub.partial_add=emptier_head '
becomes 'slablab --set=slub.max_o' 'slablab --set=slub.max_order='
becomes 'slablab --color=al' 'slablab --color=always '
becomes 'slablab replay tr' 'slablab replay trace.gz '
becomes 'slablab replay two' 'slablab replay two\ words.lab '
becomes "slablab replay 'tw" "slablab replay 'two words.lab' "
becomes 'slablab replay two\ w' 'slablab replay two\ words.lab '
becomes 'slablab fold' 'slablab folder/'
becomes 'slablab get zone.N0.Normal.free_p' 'slablab get zone.N0.Normal.free_pages '

# zsh, on a terminal of its own.
if command -v zsh >/dev/null; then
	cat >"$scratch/drive" <<'END'
zmodload zsh/zpty
fpath=($1 $fpath)
zpty shell "TERM=dumb ZDOTDIR=$2 zsh -f -i"
zpty -w shell "PS1='ready> '; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -d $2/dump; setopt no_beep; stty -echo"
zpty -r shell text '*ready> *'
type_line() {
	zpty -w -n shell $'\C-u'"$1"$'\t'
	sleep 1
	zpty -w shell $'\C-a: \'\C-e\''
	sleep 0.3
}
for line in "$@[3,-1]"; do type_line "$line"; done
zpty -w shell exit
sleep 0.5
while zpty -r -t shell text; do print -rn -- "$text"; done
END
	printed=$(timeout 40 zsh -f "$scratch/drive" "$TOP/completions" "$scratch" \
		'slablab pagety' 'slablab kmem_cache cr' 'slablab --color=al' 'slablab -s slub.partial_add=emptier_h' 'slablab replay tr' 2>&1 | tr -d '\r')
	for want in 'pagetypeinfo' 'kmem_cache create' 'color=always' 'slub.partial_add=emptier_head' 'replay trace.gz'; do
		has "$printed" "$want" 'zsh'
	done
fi
finish
