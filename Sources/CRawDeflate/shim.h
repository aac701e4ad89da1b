#include <zlib.h>

// Wrappers of macros, which Swift cannot call. -15 selects the largest window, and no header or checksum.
static inline int concordance_rawDeflateInit(z_streamp stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
}

static inline int concordance_rawInflateInit(z_streamp stream) {
  return inflateInit2(stream, -15);
}
