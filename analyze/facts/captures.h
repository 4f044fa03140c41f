/*
 * captures.h - one upload may hold the outputs of two moments
 */
#ifndef STORDX_FACTS_CAPTURES_H
#define STORDX_FACTS_CAPTURES_H

#include "facts.h"

/* Splits the capture of every upload without a manifest where its samples lie more than six hours apart. Runs before names are
   resolved. */
bool captures_split(Facts *f, Error *err);

#endif
