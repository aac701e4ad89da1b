#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#include <zlib.h>

// `inflateInit2` is a macro, which Swift does not import. 15 is the largest window; 16 more reads gzip's header and trailer.
static inline int concord_inflate_init_gzip(z_stream *stream) {
    return inflateInit2(stream, 15 + 16);
}

#endif
