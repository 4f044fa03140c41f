/*
 * raid_fact.h - what the tools of RAID controllers have in common: names, words and facts of volumes and drives
 *
 * A volume is an array: "volume 0:1" (controller, number), "logicaldrive 0:1" (slot, number), "logicaldevice 1:0". A drive behind
 * the controller is a slot: "drive 252:3 [c0]". Controllers are parents of both, drives of the volumes that lie on them, and a
 * volume of the disk that the system sees.
 */
#ifndef STORDX_PARSE_RAID_FACT_H
#define STORDX_PARSE_RAID_FACT_H

#include "parser.h"

/* The volume that is being read; texts are copied. Its row is written when the next one starts: raid_volume_end(). */
typedef struct RaidVolume {
    bool open;
    Ref ref;
    const char *kind;
    Spot at;        /* the line of its state */
    Spot policy_at; /* of the policy in force, where that is another one: then it gets a row of its own */
    Str name, level, state, write_policy, action;
    double disks, pct; /* NAN: not printed */
} RaidVolume;

/* Ends the volume before, and starts `name` of kind megaraid, smartarray or adaptec behind `controller` (0: not known). */
void raid_volume_open(ParseCtx *ctx, RaidVolume *v, Ref controller, const char *kind, Str name, Spot at);
void raid_volume_end(ParseCtx *ctx, RaidVolume *v);

/* Which drives make up which volumes, where tools print the group of both. Groups are numbers of one controller. */
typedef struct RaidGroups {
    VEC(struct RaidGrouped {
        Ref ref;
        uint64_t group;
        Spot at;
        bool member;
    })
    items;
} RaidGroups;
void raid_group_add(ParseCtx *ctx, RaidGroups *g, Ref ref, uint64_t group, bool member, Spot at);
/* Writes the edges and forgets the groups. */
void raid_group_end(ParseCtx *ctx, RaidGroups *g);

/* A drive behind `controller`: its ref, with the edge and its bay. where: what tells controllers apart, "c0", "slot 0". */
Ref raid_member(ParseCtx *ctx, Ref controller, Str bay, Str where, Spot at);

/* The state of a drive in the words of keys.def, raid_pd_state; NULL: no such word. */
const char *raid_member_word(Str printed);
/* Writes it; a word that is not known becomes a note. */
void raid_member_state(ParseCtx *ctx, Ref member, Str printed, Spot at);

/* raid_battery of keys.def from what a tool prints; NULL: no such word. */
const char *raid_battery_word(Str printed);

/* "RAID5", "RAID 1+0", "10", "Primary-1, Secondary-3": raid5, raid10. STR_NONE: no level. */
Str raid_level(Arena *arena, Str printed);

/* The number before a percent sign: "Recovering, 12% complete", "Build/Verify : 90 %"; NAN. */
double raid_percent(Str text);

/* A counter of kind raid; nothing where the tool prints no number ("N/A"). */
void raid_counter(ParseCtx *ctx, Ref node, const char *name, Str value, Spot at);

/* Model, serial number, firmware, WWN, medium of a drive; empty values and "N/A" are nothing. A SAS drive has several WWNs, and
   these tools print another one than the kernel does, so it is left out. */
typedef struct RaidIdentity {
    Str model, serial, firmware, wwn, bus, medium; /* bus: SATA SAS NVMe; medium: HDD SSD, in any spelling */
    Spot model_at, serial_at, firmware_at, wwn_at, bus_at, medium_at;
} RaidIdentity;
void raid_identity(ParseCtx *ctx, Ref member, RaidIdentity *id);

/* Keeps a line's text for a fact that is written later; of an output beyond all sizes the place alone. */
Spot raid_keep(ParseCtx *ctx, Spot at);
/* Keeps a text and its line. */
void raid_hold(ParseCtx *ctx, Str *text, Spot *text_at, Str value, Spot at);

#endif
