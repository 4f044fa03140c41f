/*
 * Redacts bytes with a few known secrets.
 *
 * What has to hold: no known secret is left, in any case; text without anything to replace comes back as it was; no text grows beyond what its
 * tokens need.
 */
#include "../../analyze/base/redact.h"
#include "fuzz.h"

#include <stdlib.h>

enum { LONGEST = 64 * 1024 };

static const struct {
    const char *kind, *value;
} secrets[] = {
    {"SN", "S4X6NF0M123456A"}, {"SN", "WD-WX12 A34"}, {"WWN", "5002538e40a1b2c3"}, {"EUI", "6479a73c80300015"}};

void fuzz_redact(Str text) {
    char *block;
    text = fuzz_exact(str_sub(text, 0, LONGEST), &block);
    Arena *a = arena_new((size_t)1 << 28);
    Redactor *r = redactor_new(a, STR("fixture-key-0001"));
    for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++)
        redactor_add(r, secrets[i].kind, str_of(secrets[i].value));
    redactor_add(r, "host", STR("pbs1"));
    redactor_learn(r, text);
    Str out = redact(r, text);
    if (str_has(out, "S4X6NF0M123456A") || str_has(out, "WD-WX12_A34") || str_has(out, "WD-WX12 A34") ||
        str_ifind(out, "5002538e40a1b2c3") != SIZE_MAX || str_ifind(out, "6479a73c80300015") != SIZE_MAX)
        fuzz_fail("a secret is left: %.*s", STR_ARG(out));
    if (out.len > text.len * REDACT_TOKEN_SIZE + REDACT_TOKEN_SIZE)
        fuzz_fail("%zu bytes became %zu", text.len, out.len);
    arena_free(a);
    free(block);
}

#ifdef FUZZ_ENTRY
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_redact((Str){(const char *)data, size});
    return 0;
}
#endif
