#ifndef CPCRE2_SHIM_H
#define CPCRE2_SHIM_H

// The 8-bit library, for UTF-8 patterns and texts. The names of its functions end in `_8`.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

// A linear-time search for bytes: a GNU and BSD extension in string.h that Swift's C library module omits.
void *memmem(const void *text, size_t length, const void *wanted, size_t wantedLength);

#endif
