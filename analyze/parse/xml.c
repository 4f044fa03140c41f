#include "xml.h"

#include <libxml/parser.h>
#include <libxml/xmlerror.h>

static void free_doc(void *doc) {
    xmlFreeDoc(doc);
}

xmlNode *xml_read(ParseCtx *ctx, Str text, Spot first, size_t max_bytes) {
    if (text.len > max_bytes) {
        parse_note(ctx, first, "XML of more than %zu bytes is not read", max_bytes);
        return NULL;
    }
    xmlDoc *doc = xmlReadMemory(text.p, (int)text.len, NULL, NULL,
                                XML_PARSE_RECOVER | XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    const xmlError *error = xmlGetLastError();
    if (error && error->level >= XML_ERR_ERROR)
        parse_note(ctx, first, "the XML is broken at its line %d: %.*s", error->line,
                   STR_ARG(str_trim(str_sub(str_of(error->message), 0, 100))));
    xmlResetLastError();
    if (!doc) return NULL;
    arena_defer(ctx->scratch, free_doc, doc);
    return xmlDocGetRootElement(doc);
}
