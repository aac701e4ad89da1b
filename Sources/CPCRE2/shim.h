#ifndef CPCRE2_SHIM_H
#define CPCRE2_SHIM_H

// The library for patterns and texts in bytes: UTF-8. Its functions end in `_8`.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

// An extension of GNU and BSD that Swift's module of the C library leaves out: linear search for bytes, in string.h.
void *memmem(const void *text, size_t length, const void *wanted, size_t wantedLength);

#endif
