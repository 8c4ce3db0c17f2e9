/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list - slabs on a node's list, linked by page frame number; under the node's list lock. */
#ifndef SLAB_LIST_H
#define SLAB_LIST_H

#include "slab/slab.h"

static inline void slab_list_init(struct slab_list *l)
{
	l->head = l->tail = PFN_NONE;
}

static inline void slab_list_add_head(const struct lab *lab, struct slab_list *l, struct page *slab)
{
	pfn_t pfn = page_pfn(lab, slab);

	slab->prev = PFN_NONE;
	slab->next = l->head;
	if (l->head == PFN_NONE)
		l->tail = pfn;
	else
		lab_page(lab, l->head)->prev = pfn;
	l->head = pfn;
}

static inline void slab_list_add_tail(const struct lab *lab, struct slab_list *l, struct page *slab)
{
	pfn_t pfn = page_pfn(lab, slab);

	slab->next = PFN_NONE;
	slab->prev = l->tail;
	if (l->tail == PFN_NONE)
		l->head = pfn;
	else
		lab_page(lab, l->tail)->next = pfn;
	l->tail = pfn;
}

static inline void slab_list_del(const struct lab *lab, struct slab_list *l, struct page *slab)
{
	if (slab->prev == PFN_NONE)
		l->head = slab->next;
	else
		lab_page(lab, slab->prev)->next = slab->next;
	if (slab->next == PFN_NONE)
		l->tail = slab->prev;
	else
		lab_page(lab, slab->next)->prev = slab->prev;
	slab->next = slab->prev = PFN_NONE;
}

#endif
