/*
 * host_picture.h - the host as a picture: controllers, expanders, drives, vdevs and arrays, pools, file systems
 *
 * Made of d->map. Layers stand from left to right, what rests on what is joined by lines with right angles. Culprits, risks,
 * bad states and slow links are marked by outline, dash and word, never by colour alone. Many drives that are alike and of which
 * nothing is found fold into one box, so that the picture stays a page high; those that are marked stand alone.
 */
#ifndef STORDX_REPORTS_HOST_PICTURE_H
#define STORDX_REPORTS_HOST_PICTURE_H

#include "picture.h"

/*
 * Adds the picture, once for a wide page and once for a phone (the style shows one of them), and the table of its drives to
 * `section`. False, and nothing added, where the input tells of no more than names.
 */
bool put_host_picture(Doc *doc, DocNode *section, const Diagnosis *d);

#endif
