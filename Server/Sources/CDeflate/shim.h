#include <zlib.h>

// A macro, which Swift cannot call. 31 is the largest window, in the gzip format.
static inline int concordance_deflateInit(z_streamp stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
}
