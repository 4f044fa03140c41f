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

/*
 * Models that only the reader's prose names: fills stated_model. A drive's model counts where it is the only model number of the
 * capture's prose that rules/models knows and no output shows, and where exactly one drive has no model; a chip of the host (entries
 * with "spoken") where it is the only one named. Prose may err and may mean another drive, so none of it becomes a model_fact.
 */
bool models_stated(Facts *f, Error *err);

/* Checks the data: valid JSON, unique ids, known kinds, spoken words that are words, a source for each, samples that match and near misses that do not, no two
   entries that contradict each other. Appends one line per problem; returns how many. */
size_t models_lint(StrBuf *problems);

#endif
