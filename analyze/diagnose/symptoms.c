#include "symptoms.h"

#include <math.h>

static const SymptomInfo symptoms[] = {
#define SYMPTOM(id, class_word, chain) {id, SYMPTOM_##class_word, chain},
#include "symptoms.def"
#undef SYMPTOM
};

const SymptomInfo *symptom_find(Str id) {
    for (size_t i = 0; i < sizeof symptoms / sizeof *symptoms; i++)
        if (str_is(id, symptoms[i].id)) return &symptoms[i];
    return NULL;
}

double symptom_magnitude(const SymptomInfo *s, double value, double threshold, bool inverted) {
    if (s->class_ != SYMPTOM_FELT) return 1;
    if (str_is(STR("io-pressure"), s->id) || str_is(STR("iowait"), s->id)) return fmin(1, fmax(0.4, value / 100));
    if (inverted && value <= 0 && threshold > 0) return 1; /* nothing at all goes through */
    double x = inverted ? threshold / value : value / threshold;
    if (!isfinite(x) || x <= 1) return 0.4;
    return fmin(1, 0.4 + 0.3 * log10(x));
}
