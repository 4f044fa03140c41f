/*
 * host_map.h - the graph of a host, read into the diagnosis for the picture
 *
 * Reads tables edge, node, place, pool, vdev, raid_array, mount and those on links. d->drives must be there already: a drive
 * that it lacks and a pool names is an absent member. Bounded whatever the database holds; what is left out is counted.
 */
#ifndef STORDX_DIAGNOSE_HOST_MAP_H
#define STORDX_DIAGNOSE_HOST_MAP_H

#include "../facts/facts.h"
#include "diagnosis.h"

void host_map_read(Facts *f, Arena *a, int64_t capture, Diagnosis *d);

#endif
