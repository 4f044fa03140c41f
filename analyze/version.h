#ifndef STORDX_VERSION_H
#define STORDX_VERSION_H

#define STORDX_VERSION "0.1.0"

#endif
