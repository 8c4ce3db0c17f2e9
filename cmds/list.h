/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * list - every command, one line each, in the order in which help shows them.
 * Commands of two words stand together by their first.
 */
#ifndef CMDS_LIST_H
#define CMDS_LIST_H

#define COMMANDS(CMD)              \
	CMD(help)                  \
	CMD(quit)                  \
	CMD(echo)                  \
	CMD(source)                \
	CMD(history)               \
	CMD(time)                  \
	CMD(watch)                 \
	CMD(sleep)                 \
	CMD(pause)                 \
	CMD(verbose)               \
	CMD(get)                   \
	CMD(set)                   \
	CMD(unset)                 \
	CMD(policy)                \
	CMD(preset)                \
	CMD(assert)                \
	CMD(lab_new)               \
	CMD(lab_list)              \
	CMD(lab_use)               \
	CMD(lab_drop)              \
	CMD(lab_clone)             \
	CMD(lab_save)              \
	CMD(lab_load)              \
	CMD(lab_info)              \
	CMD(lab_check)             \
	CMD(lab_hash)              \
	CMD(snapshot_save)         \
	CMD(snapshot_restore)      \
	CMD(snapshot_diff)         \
	CMD(snapshot_list)         \
	CMD(undo)                  \
	CMD(twin_on)               \
	CMD(twin_off)              \
	CMD(cpu)                   \
	CMD(alloc_pages)           \
	CMD(alloc_pages_bulk)      \
	CMD(free_pages)            \
	CMD(free)                  \
	CMD(drain)                 \
	CMD(lru_add)               \
	CMD(lru_touch)             \
	CMD(lru_list)              \
	CMD(reclaim)               \
	CMD(compact)               \
	CMD(kmem_cache_create)     \
	CMD(kmem_cache_alloc)      \
	CMD(kmem_cache_free)       \
	CMD(kmem_cache_alloc_bulk) \
	CMD(kmem_cache_free_bulk)  \
	CMD(kmem_cache_reap)       \
	CMD(kmem_cache_shrink)     \
	CMD(kmem_cache_tune)       \
	CMD(kmem_cache_destroy)    \
	CMD(kmem_cache_validate)   \
	CMD(kmalloc)               \
	CMD(kfree)                 \
	CMD(poke)                  \
	CMD(peek)                  \
	CMD(fail)                  \
	CMD(buddyinfo)             \
	CMD(pagetypeinfo)          \
	CMD(zoneinfo)              \
	CMD(slabinfo)              \
	CMD(vmstat)                \
	CMD(meminfo)               \
	CMD(caches)                \
	CMD(stores)                \
	CMD(slabs)                 \
	CMD(freelist)              \
	CMD(pcp)                   \
	CMD(frag)                  \
	CMD(map)                   \
	CMD(stat)                  \
	CMD(handles)               \
	CMD(where)                 \
	CMD(why)                   \
	CMD(dmesg)                 \
	CMD(stack)                 \
	CMD(pin)                   \
	CMD(sizes)                 \
	CMD(alloc_traces)          \
	CMD(free_traces)           \
	CMD(trace_on)              \
	CMD(trace_off)             \
	CMD(trace_show)            \
	CMD(trace_clear)           \
	CMD(run)                   \
	CMD(job_list)              \
	CMD(job_pause)             \
	CMD(job_resume)            \
	CMD(job_step)              \
	CMD(job_wait)              \
	CMD(job_stop)              \
	CMD(replay)                \
	CMD(import)                \
	CMD(export)                \
	CMD(tui)

#endif
