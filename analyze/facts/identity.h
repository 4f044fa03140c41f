/*
 * identity.h - which names mean the same thing
 */
#ifndef STORDX_FACTS_IDENTITY_H
#define STORDX_FACTS_IDENTITY_H

#include "facts.h"

/* What a kernel block device name stands for. */
typedef enum NameClass {
    NAME_DISK,       /* sda nvme0n1 vda mmcblk0 ada0 da3 nvd0 */
    NAME_PARTITION,  /* sda1 nvme0n1p2 ada0p2; *base gets the disk's name */
    NAME_CONTROLLER, /* nvme0: the controller, not a namespace */
    NAME_ARRAY,      /* md0 md127 */
    NAME_VOLUME,     /* dm-0 zd16 loop0 and whatever else carries blocks without being a disk */
    NAME_OPTICAL,    /* sr0 cd0 fd0: removable media nobody diagnoses */
    NAME_OTHER       /* not a kernel name: vg/lv, storage/vm-100 */
} NameClass;
NameClass name_class(Str name, Str *base);

/* A WWN, EUI-64 or NGUID as bare lower-case hex digits in the arena; p == NULL when s is none or no identity (all zero,
   all F). Takes "5 002538 e40a1b2c3", "0x5002...", "naa.5002...", "eui.00...", "wwn-0x5002...". */
Str identity_wwn(Arena *a, Str s);

/* Serial and model as they are compared: outer blanks off, inner runs of blanks and '_' as one '_', case kept. */
Str identity_text(Arena *a, Str s);

/* A serial number as it is compared, p == NULL when it is none: one sign over and over ("00000000", "FFFF"), "N/A", "Default string". */
Str identity_serial(Arena *a, Str s);

/* What a name under /dev/disk/by-id or /dev/diskid says of its drive, p == NULL where it says nothing; a member name of ZFS with or
   without its folder and "-part1" will do. The serial ends such a name, so one that holds a '_' loses its head to the model. */
typedef struct LinkIdentity {
    Str wwn, serial, model;
} LinkIdentity;
LinkIdentity identity_of_link(Arena *a, Str name);

/* The identities of names: fills ref.node and node, and shares drives between captures by WWN, serial and model. */
bool identity_resolve(Facts *f, Error *err);

#endif
