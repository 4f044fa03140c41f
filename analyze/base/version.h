/*
 * version.h - the one place that says which stordx this is
 */
#ifndef STORDX_BASE_VERSION_H
#define STORDX_BASE_VERSION_H

#define STORDX_VERSION "0.1.0"

#endif
