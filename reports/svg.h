/*
 * svg.h - a picture as an inline SVG element, for html.c only
 */
#ifndef STORDX_REPORTS_SVG_H
#define STORDX_REPORTS_SVG_H

#include "picture.h"

#include <libxml/xmlwriter.h>

/*
 * number: of the picture in its document, for the ids of its title and description. False when the writer failed. All text goes
 * through libxml2's writer: nothing in a picture can become markup.
 */
bool svg_write(xmlTextWriterPtr x, Arena *a, const Picture *p, int number);

#endif
