#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The demonstration: what scripts/try runs without a terminal.
. "$(dirname "$0")/tally.sh"
out=$("$SLABLAB" "$TOP/scripts/demo.lab" "$TOP/scripts/examples/unix-stream.trace.gz" 2>"$scratch/err" </dev/null)
is "$?" 0 'the demonstration'
is "$(cat "$scratch/err")" '' 'the demonstration has no errors'
has "$out" 76018 'events read'
has "$out" skbuff_head_cache 'its caches'
has "$out" 'Node 0, zone' 'its free lists'
finish
