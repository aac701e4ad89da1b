#ifndef CSNOWBALL_SHIM_H
#define CSNOWBALL_SHIM_H

#include <libstemmer.h>

#endif
