/*
 * models.h - what is known of drive, bridge, controller and platform models (rules/models)
 */
#ifndef STORDX_FACTS_MODELS_H
#define STORDX_FACTS_MODELS_H

#include "facts.h"

/* Matches every drive, controller and host with the built-in model data: fills model_fact, and drive.plp, for which a
   drive's own attribute of its capacitors counts as well (smartmontools drive database names). seq_write_mb_s is kept as a fact, the
   class ceiling stays what the link gives. */
bool models_resolve(Facts *f, Error *err);

/* Checks the data: valid JSON, unique ids, known kinds, a source for each, samples that match and near misses that do not, no two
   entries that contradict each other. Appends one line per problem; returns how many. */
size_t models_lint(StrBuf *problems);

#endif
