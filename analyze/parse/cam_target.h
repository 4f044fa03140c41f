/*
 * cam_target.h - how FreeBSD counts the disks of a SAS adapter
 *
 * CAM knows a disk by adapter, bus, target and lun: "(da3:mps0:0:7:0)". mpsutil prints the same target as B (bus) and T.
 */
#ifndef STORDX_PARSE_CAM_TARGET_H
#define STORDX_PARSE_CAM_TARGET_H

#include "parser.h"

/* The name under which mpsutil's row and CAM's disk meet: "mps0:7". 0 where target is no number. */
Ref cam_target_ref(ParseCtx *ctx, Str sim, Str target);

/* `disk` is lun `lun` of that target: its hctl is "mps0:0:7:0", and both names are one thing. */
void fbsd_sas_target(ParseCtx *ctx, Ref disk, Str sim, Str target, Str lun, Spot at);

#endif
