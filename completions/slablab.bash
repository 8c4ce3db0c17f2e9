# SPDX-License-Identifier: GPL-3.0-or-later
#
# Completion of slablab for bash. Commands, arguments, policies and their values
# are asked of the program itself (--complete), options of its --help: this file
# knows only where an option's value stands.

# Words of the command line up to the cursor, into `words`. bash cuts words at
# = : and others; what has no blank between it is one word again here.
__slablab_words() {
	local rest=${COMP_LINE:0:COMP_POINT} i word gap

	words=()
	for ((i = 0; i <= COMP_CWORD; i++)); do
		gap=${rest%%[![:blank:]]*}
		rest=${rest#"$gap"}
		word=${COMP_WORDS[i]}
		((i < COMP_CWORD)) || word=$rest
		if [[ $i -gt 0 && -z $gap ]]; then
			words[${#words[@]}-1]+=$word
		else
			words+=("$word")
		fi
		rest=${rest#"$word"}
	done
}

# What the program says of this line; its options so far count, too. Puts $2 before each.
__slablab_ask() {
	local text hint

	while IFS=$'\t' read -r text hint; do
		if [[ $text = / ]]; then
			__slablab_files
		else
			COMPREPLY+=("$2$text")
		fi
	done < <("${words[0]/#\~\//$HOME/}" "${options[@]}" --complete="$1" 2>/dev/null)
}

# Files join what is offered. bash itself puts the quotes, the slash or the blank
# then, so nothing brings its own.
__slablab_files() {
	local file

	compopt +o nospace -o filenames 2>/dev/null
	COMPREPLY=("${COMPREPLY[@]% }")
	while IFS= read -r file; do
		COMPREPLY+=("$file")
	done < <(compgen -f -- "$(__slablab_bare "${cur##*=}")")
}

# A value that is one of these words.
__slablab_one_of() {
	local word

	while read -r word; do
		COMPREPLY+=("$word ")
	done < <(compgen -W "$2" -- "$1")
}

# The value of option $1, of which $2 is typed.
__slablab_value() {
	local typed

	case $1 in
	-l | --lab) __slablab_ask "lab new a $2" ;;
	-s | --set)
		if [[ $2 != *=* ]]; then
			COMPREPLY=()
			__slablab_ask "set $2"
			COMPREPLY=("${COMPREPLY[@]/% /=}")
		else
			typed=${2#*=}
			__slablab_ask "set ${2%%=*} $typed" "${2%%=*}="
		fi ;;
	--color) __slablab_one_of "$2" 'auto always never' ;;
	esac
}

# bash replaces only what is behind the last = or : of the word.
__slablab_cut() {
	local before=${cur%"${cur##*[=:]}"} i

	[[ $COMP_WORDBREAKS == *[=:]* && -n $before ]] || return 0
	for i in "${!COMPREPLY[@]}"; do
		COMPREPLY[i]=${COMPREPLY[i]#"$before"}
	done
}

_slablab() {
	local words cur i option options=() IFS=$' \t\n'

	COMPREPLY=()
	__slablab_words
	cur=${words[${#words[@]}-1]}
	for ((i = 1; i < ${#words[@]} - 1; i++)); do
		case ${words[i]} in
		-l | --lab | -s | --set | -p | --preset | -b | --boot | -c | --color | --complete)
			if ((i == ${#words[@]} - 2)); then
				__slablab_value "${words[i]}" "$cur"
				__slablab_cut
				return
			fi
			options+=("${words[i]}" "$(__slablab_bare "${words[i + 1]}")")
			((++i)) ;;
		-?*) options+=("$(__slablab_bare "${words[i]}")") ;;
		*) break ;;
		esac
	done
	if ((i < ${#words[@]} - 1)); then
		if [[ -f ${words[i]} ]]; then
			__slablab_files			# arguments of a command file
		else
			__slablab_ask "${words[*]:i}"
		fi
	elif [[ $cur = --*=* ]]; then
		option=${cur%%=*}
		__slablab_value "$option" "${cur#*=}"
		COMPREPLY=("${COMPREPLY[@]/#/$option=}")
	elif [[ $cur = -* ]]; then
		__slablab_one_of "$cur" "$("${words[0]/#\~\//$HOME/}" --help 2>/dev/null | grep -oE '(^| )--?[a-zA-Z-]+')"
	else
		__slablab_ask "$cur"
		__slablab_files
	fi
	__slablab_cut
}

# A word without the quotes and backslashes in it.
__slablab_bare() {
	printf %s "${1//[\"\'\\]/}"
}

complete -o nospace -F _slablab slablab
