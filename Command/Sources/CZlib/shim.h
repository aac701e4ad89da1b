#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#include <zlib.h>

// `inflateInit2` is a macro, which Swift does not import. 15 is the maximum window size; adding 16 makes zlib read the
// header and the trailer of gzip.
static inline int concord_inflate_init_gzip(z_stream *stream) {
    return inflateInit2(stream, 15 + 16);
}

#endif
