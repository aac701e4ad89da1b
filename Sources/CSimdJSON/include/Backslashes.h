#ifndef CSIMDJSON_BACKSLASHES_H
#define CSIMDJSON_BACKSLASHES_H

// Vector comparisons whose result is a bit mask, which Swift's SIMD types do not provide.

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/// Returns a mask of the backslashes in 64 bytes, with the first byte in the lowest bit.
static inline uint64_t csimdjson_backslashes(const void *bytes)
{
  typedef uint8_t block __attribute__((ext_vector_type(64)));
  typedef bool flags __attribute__((ext_vector_type(64)));
  block text;
  memcpy(&text, bytes, sizeof text);
  flags found = __builtin_convertvector(text == (block)'\\', flags);
  uint64_t mask;
  memcpy(&mask, &found, sizeof mask);
  return mask;
}

#endif
