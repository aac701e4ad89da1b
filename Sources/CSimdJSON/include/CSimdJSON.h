#ifndef CSIMDJSON_H
#define CSIMDJSON_H

// A C interface to simdjson's DOM parser. It exposes the parser's tape (doc/tape.md in simdjson), which JSONText
// traverses in Swift, so that reading a value needs no call into C++.

#include <stddef.h>
#include <stdint.h>

#include "Backslashes.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct csimdjson_parser csimdjson_parser;

/// The parsed document, valid until the parser's next parse.
typedef struct {
  const uint64_t *tape;
  const uint8_t *strings;
} csimdjson_document;

/// Returns NULL if memory allocation fails. Free with csimdjson_parser_free.
csimdjson_parser *csimdjson_parser_new(void);
void csimdjson_parser_free(csimdjson_parser *parser);

/// Copies `length` bytes of UTF-8 JSON to the parser's padded buffer and parses them. Returns simdjson's error code, 0
/// for success. The code is csimdjson_error_number for an integer outside the range of 64 bits, in every version of
/// simdjson.
int csimdjson_parse(csimdjson_parser *parser, const uint8_t *bytes, size_t length,
                    csimdjson_document *document);

/// Returns simdjson's message for an error code. Never NULL; must not be freed.
const char *csimdjson_error_message(int code);

extern const int csimdjson_error_number;
extern const int csimdjson_error_utf8;
extern const int csimdjson_error_depth;
extern const int csimdjson_error_capacity;
extern const int csimdjson_error_memory;
extern const int csimdjson_error_empty;
extern const int csimdjson_error_structure;

#ifdef __cplusplus
}
#endif

#endif
