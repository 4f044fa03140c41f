/*
 * scan.h - small things that parsers of block devices have in common
 */
#ifndef STORDX_PARSE_SCAN_H
#define STORDX_PARSE_SCAN_H

#include "parser.h"

/* The thing a device path names: "/dev/mapper/X" is what the kernel calls X, "/dev/disk/by-*" a link, anything else a
   disk or partition. 0 for an empty name. */
Ref scan_block_ref(ParseCtx *ctx, Str device);

/* A spot whose text lives until the piece is done: the reader's line does not. */
Spot scan_keep(Arena *scratch, Spot at);

/* The disk or partition that the last part of a member's path names: "drives/zdb_sdb1.out" -> "sdb1"; STR_NONE. */
Str scan_device_in_path(Str path);

/* The first word below /dev/ of a command line, without quotes; STR_NONE, also for a pattern or a shell variable. */
Str scan_device_in_command(Str command);

/* Kernel name of a block device by its fixed number: 8:17 -> sdb1, 9:0 -> md0, 7:1 -> loop1. STR_NONE for numbers that are
   given out at run time (device mapper, NVMe, virtio). Source: Linux Documentation/admin-guide/devices.txt. */
Str scan_device_of_number(Arena *arena, uint64_t major, uint64_t minor);

/* "8:17" to its two numbers. */
bool scan_number_pair(Str s, uint64_t *major, uint64_t *minor);

/* Is s "H:C:T:L" of decimal numbers? */
bool scan_hctl(Str s);

/* Is s a full PCI address, "0000:00:17.0"? Domains may have more than four digits. */
bool scan_pci_address(Str s);

/* s without one pair of quotes ' or " around it. */
Str scan_unquote(Str s);

/* A setting with the row counted; nothing when the value is empty. view: who speaks, see schema.sql. */
void scan_set(ParseCtx *ctx, Ref node, const char *key, Str value, const char *view, Spot at);

#endif
