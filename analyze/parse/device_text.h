/*
 * device_text.h - how tools spell devices, sizes, speeds and identifiers
 *
 * Shared by the parsers. Nothing here keeps state; a Str that is returned either points into its argument or into the arena that was
 * given.
 */
#ifndef STORDX_PARSE_DEVICE_TEXT_H
#define STORDX_PARSE_DEVICE_TEXT_H

#include "../base/arena.h"
#include "../base/str.h"

/* Kernel name of a block device or NVMe controller: sda, sda1, nvme0, nvme0n1p2, vda, xvda, hda, mmcblk0p1, md127, dm-3, sr0,
   zd16, nbd0, loop0, dasda; FreeBSD ada0, da0p1, nvd0, nda0. No "/dev/". */
bool dev_is_name(Str s);

/* The same, whole disks only: no partitions. */
bool dev_is_disk(Str s);

/* The device a member path or a heading names, by a word that is a whole disk: "drives/smart_sda.out",
   "sos_commands/ata/smartctl_-a_.dev.sdb", "SDC (sdc).txt". The last such word of the last path part that has one; STR_NONE
   when none. */
Str dev_in_path(Str path);

/* The device a smartctl, hdparm or nvme command asks: its last argument below /dev/ (or the last bare device name), with
   smartctl's name for a drive behind a RAID controller where -d asks for one: "sda [megaraid_disk_08]". STR_NONE when none. */
Str dev_in_command(Arena *arena, Str command);

/* The number at the start of s, with thousands separated by , . ' _ blanks or non-breaking blanks: "500,107,862,016 bytes",
   "1'000'204'886'016 [1.00 TB]", "1.000.204.886.016". A separator counts only between groups of three. */
bool dev_grouped(Str s, uint64_t *out);

/* The decimal number at the start of s, whatever follows: "38 (Min/Max 18/43)", "24.6 C", "100%". */
bool dev_leading_number(Str s, double *out);

/* "6.0 Gb/s", "12.0 Gbit", "3.0 Gbps", "480M" to Gbit/s. */
bool dev_gbps(Str s, double *out);

/* A size as lsblk and df print it: "1.8T", "465,8G", "512B", "0B", "4K", "10M", plain bytes; powers of 1024. */
bool dev_size(Str s, double *out);

/*
 * A World Wide Name, EUI-64 or NGUID in any spelling ("5 00a075 1e1b2c3d4", "0x500a0751e1b2c3d4", "naa.5...", "eui.0025...",
 * "00 25 38 bc 21 b1 56 01") as lower-case hex digits, 16 or 32 of them. STR_NONE when it is not one, or all digits are 0 or
 * all are f: those are no identity.
 */
Str dev_wwn(Arena *arena, Str s);

/* Value behind the first ':' of a "key: value" line, trimmed; key is what stood before it, trimmed. false without a ':'. */
bool dev_key_value(Str line, Str *key, Str *value);

/* PCI address as the tools of SAS adapters print it, "00:01:00:00" (domain, bus, device, function, hexadecimal), as the kernel and
   lspci do: "0000:01:00.0", in the arena. STR_NONE when it is none. */
Str dev_sas_pci_address(Arena *arena, Str s);

/* Name of smartctl -d TYPE,N children behind `device`: "sda [megaraid_disk_08]"; device itself for plain types. */
Str dev_raid_child(Arena *arena, Str device, Str type);

#endif
