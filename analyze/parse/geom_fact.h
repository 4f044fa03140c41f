/*
 * geom_fact.h - what GEOM says of disks and partitions, whichever way it was printed
 */
#ifndef STORDX_PARSE_GEOM_FACT_H
#define STORDX_PARSE_GEOM_FACT_H

#include "parser.h"

typedef struct GeomText { /* a value and where it stood; the text outlives the line */
    Str text;
    Spot at;
} GeomText;

/* A provider with the configuration of its class. */
typedef struct GeomProvider {
    Str class, geom; /* "DISK" "PART" "LABEL" ...; the geom's name: of a partition its disk */
    Str scheme;      /* of PART: GPT MBR BSD ... */
    GeomText name, mediasize, sectorsize, stripesize;
    GeomText descr, ident, lunid, rotationrate; /* DISK */
    GeomText rawuuid, label, offset;            /* PART */
} GeomProvider;

/* Writes its settings (view kernel) and names. A name of an optical drive gives device_type alone. */
void geom_provider(ParseCtx *ctx, const GeomProvider *p);

/* The name under which GEOM shows a partition's GPT label: blanks and signs of other alphabets as %XX. */
Str geom_gpt_link(Arena *arena, Str label);

/* "gpt/boot" and the provider it lies on are one thing. kind of the provider: disk. */
void geom_label(ParseCtx *ctx, Str link, Str provider, const char *how, Spot at);

#endif
