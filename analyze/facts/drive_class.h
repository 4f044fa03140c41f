/*
 * drive_class.h - what kind of drive it is, and what such a drive is made for
 */
#ifndef STORDX_FACTS_DRIVE_CLASS_H
#define STORDX_FACTS_DRIVE_CLASS_H

#include "facts.h"

/*
 * Fills media, bus, internal, is_virtual, behind_raid, class and the class figures of every row of `drive`.
 *
 * Ceilings (payload): hard disks by spindle speed 180, 280, 250 MB/s and 60, 100, 150 random I/O per second; a SATA SSD by its
 * link 140, 280, 550 MB/s and 10,000 random writes per second; NVMe 200, 400, 900, 1800, 3600 MB/s a lane for PCIe Gen 1 to 5;
 * USB 2, 5 and 10 Gbit/s 40, 420, 950 MB/s. They follow from 8b/10b and 128b/130b coding and from vendors' sheets; the
 * thresholds of slow waits (5 ms NVMe, 10 ms SSD, 40 ms hard disk) are this tool's.
 */
bool drive_class_resolve(Facts *f, Error *err);

#endif
