#include "CSimdJSON.h"

#include <new>
#include <simdjson.h>

// simdjson 3.7 and later report integers outside the range of 64 bits as BIGINT_ERROR instead of NUMBER_ERROR. Its
// version numbers are enumerators, so the preprocessor cannot compare them. The lookup of the name begins in the
// namespace simdjson and finds this constant only if simdjson does not declare it.
namespace {
[[maybe_unused]] constexpr simdjson::error_code BIGINT_ERROR = simdjson::NUMBER_ERROR;
}

namespace simdjson {
static constexpr error_code csimdjson_big_integer = BIGINT_ERROR;
}

struct csimdjson_parser {
  simdjson::dom::parser parser;
};

extern "C" {

const int csimdjson_error_number = simdjson::NUMBER_ERROR;
const int csimdjson_error_utf8 = simdjson::UTF8_ERROR;
const int csimdjson_error_depth = simdjson::DEPTH_ERROR;
const int csimdjson_error_capacity = simdjson::CAPACITY;
const int csimdjson_error_memory = simdjson::MEMALLOC;
const int csimdjson_error_empty = simdjson::EMPTY;
const int csimdjson_error_structure = simdjson::TAPE_ERROR;

csimdjson_parser *csimdjson_parser_new(void) { return new (std::nothrow) csimdjson_parser(); }

void csimdjson_parser_free(csimdjson_parser *parser) { delete parser; }

int csimdjson_parse(csimdjson_parser *parser, const uint8_t *bytes, size_t length,
                    csimdjson_document *document) {
  simdjson::dom::element root;
  auto error = parser->parser.parse(bytes, length, true).get(root);
  if (error == simdjson::csimdjson_big_integer) return simdjson::NUMBER_ERROR;
  if (error) return error;
  document->tape = parser->parser.doc.tape.get();
  document->strings = parser->parser.doc.string_buf.get();
  return 0;
}

const char *csimdjson_error_message(int code) {
  return simdjson::error_message(static_cast<simdjson::error_code>(code));
}

}
