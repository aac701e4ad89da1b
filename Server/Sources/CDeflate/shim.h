#include <zlib.h>

// A wrapper of a macro, which Swift cannot call. 31 selects the largest window and the gzip format.
static inline int concordance_deflateInit(z_streamp stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
}
