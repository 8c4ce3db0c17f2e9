#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What `make install` puts in place works from there: the program, the library for other programs, the manual.
. "$(dirname "$0")/tally.sh"
make -C "$BUILD" install DESTDIR="$scratch/root" >"$scratch/log" 2>&1 || not_ok "make install: $(tail -n 3 "$scratch/log")"
prefix=$scratch/root$(sed -n 's/^prefix = //p' "$BUILD/Makefile")

is "$("$prefix/bin/slablab" -c 'echo installed')" installed 'the program'
for f in include/slablab.h lib/libslablab.a lib/pkgconfig/slablab.pc share/slablab/examples/unix-stream.trace.gz \
	share/slablab/demo.lab share/slablab/presets/linux-3.2.lab share/slablab/tour.lab share/man/man1/slablab.1 share/man/man7/slablab-policies.7 \
	share/man/man7/slablab-tutorial.7 share/bash-completion/completions/slablab.bash \
	share/zsh/site-functions/_slablab; do
	[ -f "$prefix/$f" ] && ok || not_ok "$f is not installed"
done

# Another program, built with nothing but what pkg-config says.
cat >"$scratch/user.c" <<'END'
#include <slablab.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
	const char *why = "";
	slablab *lab = slablab_new("mem=64M,cpus=2", &why);
	slablab_cpu *cpu = lab ? slablab_bind(lab, 0) : NULL;
	slablab_cache *cache;
	void *p, *many[20], *page;
	char text[64];

	if (!cpu)
		return printf("no CPU: %s\n", why), 1;
	p = slablab_kmalloc(cpu, 100);
	memset(p, 7, 100);
	cache = slablab_cache_create(lab, "mine", 300, 0, "hwcache|nomerge", &why);
	if (!cache || slablab_cache_alloc_bulk(cpu, cache, 20, many) != 20)
		return printf("no cache: %s\n", why), 1;
	slablab_get(lab, "cache.mine.objects", text, sizeof(text));
	printf("objects %s\n", text);
	slablab_cache_free_bulk(cpu, cache, 20, many);
	page = slablab_alloc_pages(cpu, 3, NULL);
	slablab_free_pages(cpu, page, 3);
	slablab_kfree(cpu, p);
	slablab_kfree(cpu, NULL);
	slablab_unbind(cpu);
	printf("set %d, bad set %d\n", slablab_set(lab, "slub.max_order", "1", &why), slablab_set(lab, "slub.max_order", "99", &why) < 0);
	if (slablab_run(lab, "lab check", &why) || slablab_cache_destroy(cache))
		return printf("check: %s\n", why), 1;
	slablab_drop(lab);
	return 0;
}
END
flags=$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$scratch/root pkg-config --cflags --libs --static slablab)
[ -z "$SANITIZERS" ] || flags="$flags -fsanitize=$SANITIZERS"
# shellcheck disable=SC2086
if ${CC:-cc} -o "$scratch/user" "$scratch/user.c" $flags >"$scratch/log" 2>&1; then
	ok
	is "$(LD_LIBRARY_PATH=$prefix/lib "$scratch/user")" $'objects 20\nset 0, bad set 1\nlab main: every invariant holds' 'a program of somebody else'
else
	not_ok "a program of somebody else does not build: $(tail -n 3 "$scratch/log")"
fi
finish
