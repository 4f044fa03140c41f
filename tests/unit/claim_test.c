#include "claim_test.h"

#include "../../analyze/parse/registry.h"
#include "tool_samples.h"

#include <stdio.h>

void claims_text(const Parser *parser, const char *text, bool opens) {
    int bid;
    Str head = str_of(text);
    const Parser *best = registry_best(STR(""), STR(""), head, &bid);
    if (best != parser)
        fail_msg("%s goes to %s, not %s: %.200s", "text", best ? best->name : "nobody", parser->name, text);
    bool first = true;
    while (head.len) {
        Str line = head_line(&head);
        if (!str_trim(line).len) continue;
        if (first && opens && !parser->starts(line))
            fail_msg("%s does not start with \"%.*s\"", parser->name, STR_ARG(line));
        if (!parser->continues(line) && !parser->starts(line))
            fail_msg("%s does not claim \"%.*s\"", parser->name, STR_ARG(line));
        first = false;
    }
}

void claims_no_other(const Parser *parser) {
    for (size_t i = 0; i < tool_sample_count; i++) {
        const Sample *s = &tool_samples[i];
        if (strcmp(s->tool, parser->name) == 0) continue;
        Str text = s->path ? pt_file(s->path) : str_of(s->text);
        int bid = parser->bid(STR(""), STR(""), str_sub(text, 0, 16384));
        if (bid) fail_msg("%s bids %d on %s (%s)", parser->name, bid, s->tool, s->variant);
    }
    static const char *const refusals[] = {"", "\n\n", "bash: command not found\n",
                                           "cat: /proc/x: No such file or directory\n",
                                           "My disk is slow.\nWhat can I do about /dev/sda?\n"};
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        assert_int_equal(parser->bid(STR("file.txt"), STR(""), str_of(refusals[i])), 0);
}

Str claims_expected(const char *folder, const char *file) {
    char path[1024];
    size_t stem = strlen(file);
    while (stem && file[stem] != '.') stem--;
    if (!pt_corpus()) return STR_NONE;
    snprintf(path, sizeof path, "%s/%s/%.*s.expected.json", pt_corpus(), folder, (int)stem, file);
    return pt_file(path);
}
