/*
 * xml.h - documents that tools print as XML
 */
#ifndef STORDX_PARSE_XML_H
#define STORDX_PARSE_XML_H

#include "parser.h"

#include <libxml/tree.h>

/*
 * Root of a document; it lives until the piece is done. No entities are expanded and nothing is fetched. A document that is cut off gives
 * what stands before the cut, and a note at `first`. NULL where nothing can be read, and, with a note, of more than max_bytes.
 */
xmlNode *xml_read(ParseCtx *ctx, Str text, Spot first, size_t max_bytes);

#endif
